// Edits of immutable values by path, for the candidates of `import`.
#pragma once
#include <compare>
#include <functional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::workflow {

// A key of a map, or an item of a list.
struct Step {
  std::string key;
  int index = -1;  // -1: `key` counts

  auto operator<=>(const Step&) const = default;
};
using TreePath = std::vector<Step>;

// `spec.pools[0].name`.
std::string text_of(const TreePath& path);
TreePath path_of(std::string_view text);

const Value* find_at(const Value& root, const TreePath& path);
// Creates missing maps. A list must have the item.
Value with_value(const Value& root, const TreePath& path, const Value& value, Arena& arena, std::size_t from = 0);
// Maps that become empty are removed, too.
Value without(const Value& root, const TreePath& path, Arena& arena, std::size_t from = 0);
// A copy whose texts don't depend on another arena. `edit` changes texts.
Value copy_of(const Value& value, Arena& arena, const std::function<std::string(std::string_view)>& edit = {});
// The number of scalars and empty containers.
std::size_t leaves_of(const Value& value);
bool is_scalar(const Value& value);
// Whether `list` is a list with this text.
bool has_word(const Value& list, std::string_view word);
// As block YAML, in the given order of keys.
std::string yaml_of(const Value& value);

}  // namespace capwright::workflow
