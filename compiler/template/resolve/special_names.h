// Finds the statements that read `loop`, `caller`, `varargs`, `kwargs`, `self` and `super`: these names get a value
// only where the text mentions them. One walk covers the whole template.
#pragma once
#include <unordered_map>

#include "template/syntax/ast.h"

namespace capwright::jinja {

// Facts about one statement's body at any depth, but not about blocks in it.
struct SpecialNames {
  // The first mention of the name reads it. (After a first mention that stores it, it is an ordinary name.)
  bool loop = false, caller = false, varargs = false, kwargs = false, self = false, super = false;
  // For loops, blocks included: a scoped block, and the first place that stores `loop`.
  bool scoped_block = false;
  const Name* loop_stored = nullptr;
};

// By statement: For, Macro, CallBlock, Block; the template's own are at null. Only looked up, never iterated.
using SpecialNamesOf = std::unordered_map<const Stmt*, SpecialNames>;

SpecialNamesOf find_special_names(Body body);

}  // namespace capwright::jinja
