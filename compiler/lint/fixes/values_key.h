// Which values decide a field that a built-in template set renders, and where they are written or belong. Users
// edit values: the set's templates aren't in their repository.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine/finding.h"

namespace capwright::lint {

struct ValuesKey {
  std::string key;          // "api_server.allowed_cidrs"; empty: no value decides it
  std::string_view advice;  // what to set, from schemas/catalogue/value-keys.yaml; may be empty
  Span where;               // where the key is written, else the nearest place above it in the values
  bool is_written = false;
};

// `maker`: the template line or schema default of a built-in set that made the place. `code`: the rule that asks.
ValuesKey values_key_of(const Place& place, Span maker, std::string_view code);

}  // namespace capwright::lint
