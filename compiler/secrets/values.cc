// Rebuilds containers, because any leaf may be secret.
#include "secrets/values.h"

#include <vector>

namespace capwright::secrets {

Value redact(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(redact(item, arena));
    return make_list(arena, items).with_origin(value.origin());
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries()) entries.push_back({entry.key, redact(entry.value, arena)});
    return make_map(arena, entries).with_origin(value.origin());
  }
  return value.tainted() ? make_string(arena, "<secret>").with_origin(value.origin()) : value;
}

}  // namespace capwright::secrets
