// A plain recursive copy: the value has already passed the reader's depth limit.
#include <vector>

#include "value/stage.h"

namespace capwright {

Value restamp(const Value& value, const OriginTable& from, Stage& stage) {
  const OriginId origin =
      value.origin() == OriginId::None ? OriginId::None : stage.origins.input(from[value.origin()].span);
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(restamp(item, from, stage));
    return make_list(stage.arena, items).with_origin(origin).with_taint(value.tainted());
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries()) {
      entries.push_back({restamp(entry.key, from, stage), restamp(entry.value, from, stage)});
    }
    return make_map(stage.arena, entries).with_origin(origin).with_taint(value.tainted());
  }
  return value.with_origin(origin);
}

}  // namespace capwright
