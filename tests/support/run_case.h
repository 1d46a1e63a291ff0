// What the blocks of a spec case mean: which stages run on its files, and what is compared.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/spec_file.h"

namespace capwright::spec {

// A block whose text is not what the program says.
struct Mismatch {
  const Block* block = nullptr;  // null: the case as a whole
  std::string actual;
  std::string why;
};

// Runs one case. Its files decide the stages: `main.j2` is rendered with `values.yaml` (checked by `schema.json` if
// there is one), `stream.yaml` is read as manifests, `values.yaml` alone is read, with `schema.json` also validated.
// Names get digests as run_rotation.h says. Expectations: output, tree, names, errors, rendered-errors, values, tokens,
// ast, segments; settings: options.
std::vector<Mismatch> run_case(const Case&);

}  // namespace capwright::spec
