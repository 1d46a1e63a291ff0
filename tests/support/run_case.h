// The meaning of the blocks of a spec case: the stages that run on its files, and the compared results.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/spec_file.h"

namespace capwright::spec {

// A block whose text differs from the program's result.
struct Mismatch {
  const Block* block = nullptr;  // null: the whole case
  std::string actual;
  std::string why;
};

// Runs one case. Its files determine the stages: `main.j2` is rendered with `values.yaml` (validated by `schema.json`
// if there is one), `stream.yaml` is read as manifests, `values.yaml` alone is read, and with `schema.json` also
// validated. Names get digests as described in run_rotation.h. Expectations: output, tree, names, errors,
// rendered-errors, values, tokens, ast, segments; settings: options.
std::vector<Mismatch> run_case(const Case&);

}  // namespace capwright::spec
