// The replacement of `regex_replace`: Python's replacement text with `\1`, `\g<name>` and escapes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "template/runtime/runtime.h"
#include "text/regex.h"

namespace capwright::jinja::extras {

// Literal text, then the text of a group (except in the last part of a replacement).
struct ReplacementPart {
  std::string literal;
  std::optional<std::size_t> group;
};

// Parses a replacement for `regex`; empty (reported) if it is invalid.
std::optional<std::vector<ReplacementPart>> parse_replacement(Runtime&, const Value& text, const Regex& regex);
void append_replacement(std::string& out, const std::vector<ReplacementPart>& parts, const RegexMatch& match,
                        std::string_view text);

// The number of a group by name or number ("host", "2"); 0 is the whole match. Empty if there is none.
std::optional<std::size_t> find_group(const Regex& regex, std::string_view name);

}  // namespace capwright::jinja::extras
