// Cases of expressions: a block `cel` holds CEL expressions, one a line, each followed by what comes out.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

//   self.replicas > 3              an expression; what is indented below it is its outcome
//     = false (cost 3)             a value; `!`: it failed, with what and where; `?`: it was refused, with the columns
//     because `self.replicas` is 2
// `schema.yaml` is the structural schema of `self` and `oldSelf`, whose values are `self.yaml` and `oldSelf.yaml`;
// without it they are data of any shape. Options: `root`, `kubernetes: 1.30`, `budget: 100`, `result: bool`.
std::vector<Mismatch> run_cel(const Case&);

}  // namespace capwright::spec
