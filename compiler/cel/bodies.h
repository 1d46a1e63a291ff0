// Declarations of all bodies that functions.def names. Each is given arguments of the kinds that its overloads say.
#pragma once
#include "cel/function.h"

namespace capwright::cel {

#define CW_CEL(name, style, signature, since, cost, body) Val body(Call&);
#include "cel/functions.def"
#undef CW_CEL

}  // namespace capwright::cel
