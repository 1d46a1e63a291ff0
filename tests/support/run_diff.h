// Cases about differences: files `before.yaml` and `after.yaml`, or several as `before/…` and `after/…`, and `diff`:
// what is found, as `capwright diff --by cluster --verbose` prints it without the cluster and the last line.
// Options: `ignore: PATH`, as often as needed; `lines: true` for the text that `--text` prints.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

bool is_diff_case(const Case&);
std::vector<Mismatch> run_diff_case(const Case&);

}  // namespace capwright::spec
