// The names that a frame mentions, collected before its statements are resolved one by one, like Jinja2's idtracking.
// Skips bodies of inner frames, but not those of `if`.
#pragma once
#include "template/resolve/symbols.h"

namespace capwright::jinja {

// Each adds its mentions to the current frame of `symbols`.
void mention(Symbols& symbols, Body body);
void mention(Symbols& symbols, const Expr& expr);
// A target whose names have a value at the start of the frame.
void mention_parameters(Symbols& symbols, const Expr& target);

}  // namespace capwright::jinja
