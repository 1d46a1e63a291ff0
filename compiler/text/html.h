// HTML text as Python's html module and MarkupSafe treat it: character references back to characters, tags taken out.
#pragma once
#include <string>
#include <string_view>

namespace capwright::html {

// html.unescape(): named, decimal and hexadecimal references, with HTML 5's rules for faulty ones.
std::string unescape(std::string_view text);

// Markup.striptags(): without comments and tags, runs of white space as one space, references resolved.
std::string strip_tags(std::string_view text);

}  // namespace capwright::html
