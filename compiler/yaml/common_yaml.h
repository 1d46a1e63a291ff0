// The fast path of the YAML reader, for the forms that nearly all values files and manifests use. It accepts a text
// only if it supports every character, and is ten times as fast as the library. The library reads everything else:
// errors, tags, texts over several lines. tests/unit checks that both produce the same events.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "yaml/events.h"

namespace capwright::yaml {

// All events of `text` from `start` on, without StreamEnd; empty if the text has an unsupported form. Supports block
// maps and lists, also compact (`- key:`) and at their key's column; plain and quoted texts on one line; literal and
// folded blocks; brackets over several lines; anchors and aliases of values; comments; `---`. At most `depth` levels.
std::optional<std::vector<Event>> read_common_yaml(std::string_view text, std::uint32_t start, std::uint32_t depth,
                                                   Arena&);

}  // namespace capwright::yaml
