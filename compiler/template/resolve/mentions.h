// Which names a frame mentions, before its statements are resolved one by one: what Jinja2's idtracking does. Bodies of
// frames inside are left out, `if` is looked into.
#pragma once
#include "template/resolve/symbols.h"

namespace capwright::jinja {

// Each adds its mentions to the current frame of `symbols`.
void mention(Symbols& symbols, Body body);
void mention(Symbols& symbols, const Expr& expr);
// A target whose names have a value when the frame is entered.
void mention_parameters(Symbols& symbols, const Expr& target);

}  // namespace capwright::jinja
