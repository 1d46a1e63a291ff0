// Finds credentials in URLs, so that no line and no message shows them.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

struct TextPlace {
  std::size_t begin = 0, end = 0;
};

// In order: passwords before an `@`, a token without a user there, and parameters named `token`, `sig` or ending in
// such a word.
std::vector<TextPlace> url_secrets(std::string_view text);

// Replaces each of them with `<secret>`.
std::string redact_urls(std::string_view text);

}  // namespace capwright
