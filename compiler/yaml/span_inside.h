// Places inside a scalar, for languages that are embedded in YAML.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// The place of the bytes [begin, end) of a String in the file it was read from, also through a block scalar's
// indentation and a quoted scalar's escapes; the whole scalar if that is unknown.
Span span_inside(const Value& text, std::uint32_t begin, std::uint32_t end, const Stage& stage);

}  // namespace capwright
