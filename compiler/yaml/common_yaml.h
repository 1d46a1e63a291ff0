// The fast lane of the YAML reader: the forms that nearly all values files and manifests are made of. It reads a text
// only when it is sure of every character, ten times as fast as the library, and leaves everything else to that:
// faults, tags, texts over several lines. tests/unit holds both to the same events.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "yaml/events.h"

namespace capwright::yaml {

// All events of `text` from `start` on, without StreamEnd; nothing when the text has a form that is not read here.
// Block maps and lists, also compact (`- key:`) and at their key's column; plain and quoted texts on one line; literal
// and folded blocks; brackets over any lines; anchors and aliases of values; comments; `---`. At most `depth` levels.
std::optional<std::vector<Event>> read_common_yaml(std::string_view text, std::uint32_t start, std::uint32_t depth,
                                                   Arena&);

}  // namespace capwright::yaml
