// What `regex_replace` puts in place of a match: Python's replacement text with `\1`, `\g<name>` and escapes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "template/runtime/runtime.h"
#include "text/regex.h"

namespace capwright::jinja::extras {

// Literal text, then what a group matched (unless it is the last part of a replacement).
struct ReplacementPart {
  std::string literal;
  std::optional<std::size_t> group;
};

// Reads a replacement for `regex`; nothing (reported) when it is not one.
std::optional<std::vector<ReplacementPart>> parse_replacement(Runtime&, const Value& text, const Regex& regex);
void append_replacement(std::string& out, const std::vector<ReplacementPart>& parts, const RegexMatch& match,
                        std::string_view text);

// The number of a group that is named or numbered ("host", "2"); 0 is the whole match. Nothing: there is none.
std::optional<std::size_t> find_group(const Regex& regex, std::string_view name);

}  // namespace capwright::jinja::extras
