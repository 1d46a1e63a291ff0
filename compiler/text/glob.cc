// Matches without backtracking: keeps the set of path offsets that each prefix of the pattern can match up to.
#include "text/glob.h"

#include <algorithm>
#include <vector>

namespace capwright {
namespace {

using Places = std::vector<char>;  // [i]: the pattern so far matches the first `i` bytes

// Extends every offset over the bytes that `crosses` allows.
template <class Crosses>
void spread(Places& places, std::string_view path, Crosses crosses) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (places[i] != 0 && crosses(path[i])) places[i + 1] = 1;
  }
}

template <class Takes>
void advance(Places& places, std::string_view path, Takes takes) {
  for (std::size_t i = path.size(); i > 0; --i) places[i] = places[i - 1] != 0 && takes(path[i - 1]) ? 1 : 0;
  places[0] = 0;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  const auto any = [](char) { return true; };
  const auto within_part = [](char c) { return c != '/'; };
  Places places(path.size() + 1, 0);
  places[0] = 1;
  while (!pattern.empty()) {
    if (pattern.starts_with("**/")) {  // matches nothing, or any number of whole parts
      const Places before = places;
      spread(places, path, any);
      advance(places, path, [](char c) { return c == '/'; });
      std::transform(places.begin(), places.end(), before.begin(), places.begin(),
                     [](char a, char b) { return a | b; });
      pattern.remove_prefix(3);
    } else if (pattern.starts_with("**")) {
      spread(places, path, any);
      pattern.remove_prefix(2);
    } else {
      const char wanted = pattern.front();
      if (wanted == '*') spread(places, path, within_part);
      else advance(places, path, [&](char c) { return c == wanted || (wanted == '?' && within_part(c)); });
      pattern.remove_prefix(1);
    }
  }
  return places.back() != 0;
}

bool text_glob_matches(std::string_view pattern, std::string_view text, char separator) {
  const auto any = [](char) { return true; };
  const auto within_part = [&](char c) { return separator == 0 || c != separator; };
  Places places(text.size() + 1, 0);
  places[0] = 1;
  while (!pattern.empty()) {
    const char wanted = pattern.front();
    const bool is_deep = pattern.starts_with("**");
    if (is_deep) spread(places, text, any);
    else if (wanted == '*') spread(places, text, within_part);
    else advance(places, text, [&](char c) { return c == wanted || (wanted == '?' && within_part(c)); });
    pattern.remove_prefix(is_deep ? 2 : 1);
  }
  return places.back() != 0;
}

}  // namespace capwright
