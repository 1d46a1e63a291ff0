// HTML text as Python's html module and MarkupSafe treat it: resolves character references and strips tags.
#pragma once
#include <string>
#include <string_view>

namespace capwright::html {

// html.unescape(): named, decimal and hexadecimal references, with HTML 5's rules for invalid ones.
std::string unescape(std::string_view text);

// Markup.striptags(): removes comments and tags, collapses runs of white space, resolves references.
std::string strip_tags(std::string_view text);

}  // namespace capwright::html
