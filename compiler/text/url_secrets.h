// Where URLs in a text hold what lets somebody in: no line and no message shows it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

struct TextPlace {
  std::size_t begin = 0, end = 0;
};

// In order: passwords before an `@`, or the token that stands alone there, and parameters that are called `token`,
// `sig` or end in such a word.
std::vector<TextPlace> url_secrets(std::string_view text);

// `text` with `<secret>` for each of them.
std::string cover_url_secrets(std::string_view text);

}  // namespace capwright
