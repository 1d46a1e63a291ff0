// Cases about differences: files `before.yaml` and `after.yaml`, or several as `before/…` and `after/…`, and `diff`:
// the differences, as `capwright diff --by cluster --verbose` prints them, without the cluster and the last line.
// Options: `ignore: PATH`, repeatable; `lines: true` for the output of `--text`.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

bool is_diff_case(const Case&);
std::vector<Mismatch> run_diff_case(const Case&);

}  // namespace capwright::spec
