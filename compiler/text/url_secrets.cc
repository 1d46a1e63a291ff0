// A URL ends where a quote, a blank or a bracket stands: texts of all kinds hold them.
#include "text/url_secrets.h"

#include <algorithm>

namespace capwright {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kScheme = "://";

// Bare names before the `@` are users, such as `git`, or organizations; longer ones are tokens.
constexpr std::size_t kShortestToken = 20;

// `user:password@`, `token@` at the begin of `url`; the place counts from `url`.
void add_user(std::string_view url, std::size_t at_url, std::vector<TextPlace>& places) {
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at == kNone) return;
  const std::size_t colon = authority.substr(0, at).find(':');
  const std::size_t begin = colon == kNone ? 0 : colon + 1;
  if (begin == at || (colon == kNone && at < kShortestToken)) return;
  places.push_back({at_url + begin, at_url + at});
}

bool is_secret_parameter(std::string_view name) {
  constexpr std::string_view kEndings[] = {"token",   "secret", "password",  "passwd",
                                           "api_key", "apikey", "signature", "Signature"};
  return name == "sig" || std::any_of(std::begin(kEndings), std::end(kEndings),
                                      [&](std::string_view ending) { return name.ends_with(ending); });
}

void add_parameters(std::string_view url, std::size_t at_url, std::vector<TextPlace>& places) {
  std::size_t begin = url.find('?');
  while (begin != kNone && begin < url.size()) {
    const std::size_t name = begin + 1, end = std::min(url.find_first_of("&#", name), url.size());
    const std::size_t sign = std::min(url.find('=', name), end);
    if (sign + 1 < end && is_secret_parameter(url.substr(name, sign - name)))
      places.push_back({at_url + sign + 1, at_url + end});
    begin = url.find('&', name);
  }
}

}  // namespace

std::vector<TextPlace> url_secrets(std::string_view text) {
  constexpr std::string_view kBehind = " \t\r\n\"'`<>(){}[],|\\";
  std::vector<TextPlace> places;
  for (std::size_t at = text.find(kScheme); at != kNone;) {
    const std::size_t begin = at + kScheme.size();
    const std::size_t end = std::min(text.find_first_of(kBehind, begin), text.size());
    const std::string_view url = text.substr(begin, end - begin);
    add_user(url, begin, places);
    add_parameters(url, begin, places);
    at = text.find(kScheme, end);
  }
  return places;
}

std::string cover_url_secrets(std::string_view text) {
  std::string covered;
  std::size_t done = 0;
  for (const TextPlace& place : url_secrets(text)) {
    covered.append(text.substr(done, place.begin - done)).append("<secret>");
    done = place.end;
  }
  return covered.append(text.substr(done));
}

}  // namespace capwright
