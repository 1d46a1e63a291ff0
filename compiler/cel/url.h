// URLs as Go's net/url reads a request's: an absolute path or a scheme is needed, no fragment is split off by isURL().
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"

namespace capwright::cel {

// All parts lie in the Arena they were read into.
struct Url {
  std::string_view scheme = {};  // lower case
  std::string_view opaque = {};  // of `mailto:x`
  std::string_view user = {};    // escaped, without `@`
  std::string_view host = {};    // with port and brackets
  std::string_view escaped_path = {};
  std::string_view query = {};     // without `?`
  std::string_view fragment = {};  // escaped, without `#`
};

// Nothing when `url()` would fail.
std::optional<Url> parse_url(std::string_view text, Arena&);
bool is_url(std::string_view text);

std::string_view hostname(const Url&);  // without port and brackets
std::string_view port(const Url&);
// The pairs of a query, decoded, in order; a pair that can't be decoded is left out.
std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query);
std::string to_text(const Url&);

}  // namespace capwright::cel
