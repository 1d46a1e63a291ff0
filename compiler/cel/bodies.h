// Declares all function bodies that functions.def names. Arguments always have the kinds that the overloads declare.
#pragma once
#include "cel/function.h"

namespace capwright::cel {

#define CW_CEL(name, style, signature, since, cost, body) Val body(Call&);
#include "cel/functions.def"
#undef CW_CEL

}  // namespace capwright::cel
