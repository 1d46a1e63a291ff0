// The token is a part of each path, not a cookie: browsers send cookies of a host to all of its ports, so another
// server on this machine could read it. Relative links carry it along, and no Referer is sent.
#include "preview/guard.h"

#include <algorithm>
#include <fmt/format.h>

namespace capwright::preview {
namespace {

// The time doesn't depend on how many characters are right.
bool is_same(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(other) ^ static_cast<unsigned char>(expected[i]);
  }
  return difference == 0;
}

}  // namespace

void Guard::listen_on(std::uint16_t port) {
  hosts_ = {fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)};
}

std::string Guard::address() const { return fmt::format("http://{}/{}/", hosts_.front(), token_); }

std::string_view Guard::refusal(const portal::Request& head, std::string_view& path) const {
  // A name of another site may resolve to this machine.
  if (std::find(hosts_.begin(), hosts_.end(), head.host) == hosts_.end())
    return "the request's `Host` isn't the address of the preview";
  if (!head.origin.empty() && head.origin != "http://" + head.host) return "the request comes from another origin";
  if (!head.fetch_site.empty() && head.fetch_site != "same-origin" && head.fetch_site != "none")
    return "the request comes from another site";
  std::string_view rest = head.path;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (!is_same(rest.substr(0, slash), token_))
    return "the address has no valid token; open the address that `capwright preview` printed";
  path = rest.substr(std::min(rest.size(), slash + 1));
  return {};
}

}  // namespace capwright::preview
