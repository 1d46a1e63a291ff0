// Paths in a YAML document that are independent of its formatting: keys and item numbers from the root.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright::secrets {

struct DataStep {
  std::string key;                  // of a map
  std::optional<std::size_t> item;  // of a list
};
using DataPath = std::vector<DataStep>;

// Null if there is no value.
const Value* find_at(const Value& root, const DataPath& path);

// "stringData.token", "users[0].password"
std::string text_of(const DataPath& path);

}  // namespace capwright::secrets
