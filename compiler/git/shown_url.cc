// Remotes in messages; programs without libgit2 have this file, too.
#include <algorithm>

#include "git/remote_access.h"

namespace capwright::git {
namespace {

bool is_http(std::string_view scheme) {
  std::string lower(scheme);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return lower == "http" || lower == "https";
}

// The `@` after a login that begins at `start`; npos if there is none. The text after a colon is a password, with any
// characters, unless it is a port.
std::size_t end_of_login(std::string_view url, std::size_t start) {
  const std::string_view host = url.substr(0, url.find('/', start));
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos && at >= start) return at;
  const std::size_t colon = host.find(':', start);
  if (start == 0 || colon == std::string_view::npos) return std::string_view::npos;
  const bool is_port = host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return is_port ? std::string_view::npos : url.rfind('@');
}

}  // namespace

std::string shown_url(std::string_view url) {
  std::string shown(url);
  const std::size_t scheme = shown.find("://");
  const bool web = scheme != std::string::npos && is_http(url.substr(0, scheme));
  if (web) shown.resize(std::min(shown.size(), shown.find_first_of("?#")));  // may hold a token
  const std::size_t start = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t at = end_of_login(shown, start);
  if (at == std::string::npos) return shown;
  // In http the user's name may be a token; in ssh it is part of the address.
  const std::size_t colon = shown.find(':', start);
  if (web) shown.erase(start, at + 1 - start);
  else if (colon < at) shown.erase(colon, at - colon);
  return shown;
}

}  // namespace capwright::git
