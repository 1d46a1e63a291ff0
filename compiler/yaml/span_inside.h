// Places inside a scalar, for languages that stand in YAML.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Where the bytes [begin, end) of a String stand in the file that it was read from, also through a block scalar's
// indentation and a quoted scalar's escapes; all of the scalar where that can't be known.
Span span_inside(const Value& text, std::uint32_t begin, std::uint32_t end, const Stage& stage);

}  // namespace capwright
