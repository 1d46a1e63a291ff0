// Cases of expressions: a block `cel` has CEL expressions, one per line, each followed by its result.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

//   self.replicas > 3              an expression; the indented lines below it are its result
//     = false (cost 3)             a value; `!`: an error and its place; `?`: a compile error with its columns
//     because `self.replicas` is 2
// `schema.yaml` is the structural schema of `self` and `oldSelf`, whose values are `self.yaml` and `oldSelf.yaml`;
// without it they are data of any type. Options: `root`, `kubernetes: 1.30`, `budget: 100`, `result: bool`.
std::vector<Mismatch> run_cel(const Case&);

}  // namespace capwright::spec
