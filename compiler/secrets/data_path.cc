// Resolves and formats paths.
#include "secrets/data_path.h"

#include <fmt/format.h>

namespace capwright::secrets {

const Value* find_at(const Value& root, const DataPath& path) {
  const Value* at = &root;
  for (const DataStep& step : path) {
    if (!step.item) {
      at = at->find(step.key);
    } else {
      at = at->is(Kind::List) && *step.item < at->items().size() ? &at->items()[*step.item] : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string text_of(const DataPath& path) {
  std::string text;
  for (const DataStep& step : path) {
    if (step.item) text += fmt::format("[{}]", *step.item);
    else text += (text.empty() ? "" : ".") + step.key;
  }
  return text;
}

}  // namespace capwright::secrets
