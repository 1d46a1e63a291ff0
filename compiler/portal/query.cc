// Queries as forms encode them: `+` is a space.
#include <algorithm>

#include "portal/call.h"
#include "schema/uri.h"

namespace capwright::portal {
namespace {

std::string decoded(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return schema::percent_decode(spaced);
}

}  // namespace

std::optional<std::string> find_query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    const std::string_view key = part.substr(0, part.find('='));
    if (decoded(key) == name) return key.size() < part.size() ? decoded(part.substr(key.size() + 1)) : "";
  }
  return std::nullopt;
}

std::string query_value(std::string_view query, std::string_view name) {
  return find_query_value(query, name).value_or("");
}

}  // namespace capwright::portal
