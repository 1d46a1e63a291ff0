// Parses URLs as Go's net/url parses a request's: requires an absolute path or a scheme; isURL() splits off no
// fragment.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"

namespace capwright::cel {

// All parts live in the Arena passed to the parser.
struct Url {
  std::string_view scheme = {};  // lower case
  std::string_view opaque = {};  // of `mailto:x`
  std::string_view user = {};    // escaped, without `@`
  std::string_view host = {};    // with port and brackets
  std::string_view escaped_path = {};
  std::string_view query = {};     // without `?`
  std::string_view fragment = {};  // escaped, without `#`
};

// Empty if `url()` would fail.
std::optional<Url> parse_url(std::string_view text, Arena&);
bool is_url(std::string_view text);

std::string_view hostname(const Url&);  // without port and brackets
std::string_view port(const Url&);
// The decoded pairs of a query, in order; a pair that can't be decoded is omitted.
std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query);
std::string to_text(const Url&);

}  // namespace capwright::cel
