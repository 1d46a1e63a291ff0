// Line breaks of templates that whitespace control removed, so that two lines of templates became one of the output.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "value/stage.h"

namespace capwright {

struct LostBreak {
  std::uint32_t at = 0;  // the first rendered byte after the place of the line break
  Span where;            // the tag that removed the line break, or the last line of the template that lost it
  std::string what;      // for a label at `where`: "`-%}` removes the line break after it"
  std::string edit;      // "write `%}` instead of `-%}`…"
};

// The last one in the rendered bytes [begin, end). Only tags with Jinja2's own delimiters are known.
std::optional<LostBreak> find_lost_break(const MappedText& rendered, std::uint32_t begin, std::uint32_t end,
                                         const Stage& stage);

}  // namespace capwright
