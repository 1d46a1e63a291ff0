// A URL ends at a quote, a blank or a bracket, because URLs occur in all kinds of text.
#include "secrets/urls.h"

#include <algorithm>
#include <string>

namespace capwright {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kBehind = " \t\r\n\"'`<>(){}[],|\\";
constexpr std::string_view kBehindAuthority = " \t\r\n\"'`<>{}[]|\\/?#";  // passwords may contain any other character

// A shorter name before the `@` is a user, such as `git`, or an organization; a longer one is a token.
constexpr std::size_t kShortestToken = 20;

// The offset after the `://` of the next URL's scheme. JSON may have a backslash before each slash, and JSON quoted in
// JSON has two.
std::size_t behind_scheme(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(':', from); at != kNone; at = text.find(':', at + 1)) {
    const std::size_t first = std::min(text.find_first_not_of('\\', at + 1), text.size());
    const std::size_t second = std::min(text.find_first_not_of('\\', first + 1), text.size());
    if (second < text.size() && text[first] == '/' && text[second] == '/') return second + 1;
  }
  return kNone;
}

// Finds `user:password@` or `token@` at the start of `url`; `at_url` is the offset of `url` in the text.
void add_user(std::string_view url, std::size_t at_url, std::vector<TextPlace>& places) {
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at == kNone) return;
  const std::size_t colon = authority.substr(0, at).find(':');
  const std::size_t begin = colon == kNone ? 0 : colon + 1;
  if (begin == at || (colon == kNone && at < kShortestToken)) return;
  places.push_back({at_url + begin, at_url + at});
}

bool is_secret_parameter(std::string_view written) {
  constexpr std::string_view kEndings[] = {"token",  "secret",     "password",  "passwd",   "api_key",
                                           "apikey", "access_key", "signature", "accesskey"};
  std::string name(written);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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
  std::vector<TextPlace> places;
  for (std::size_t begin = behind_scheme(text, 0); begin != kNone;) {
    std::size_t end = std::min(text.find_first_of(kBehind, begin), text.size());
    const std::size_t end_of_authority = std::min(text.find_first_of(kBehindAuthority, begin), text.size());
    const bool has_user = text.substr(begin, end_of_authority - begin).find('@') != kNone;
    if (has_user) end = std::max(end, end_of_authority);
    const std::string_view url = text.substr(begin, end - begin);
    add_user(url, begin, places);
    add_parameters(url, begin, places);
    begin = behind_scheme(text, end);
  }
  return places;
}

std::string redact_urls(std::string_view text) {
  std::string redacted;
  std::size_t done = 0;
  for (const TextPlace& place : url_secrets(text)) {
    redacted.append(text.substr(done, place.begin - done)).append("<secret>");
    done = place.end;
  }
  return redacted.append(text.substr(done));
}

}  // namespace capwright
