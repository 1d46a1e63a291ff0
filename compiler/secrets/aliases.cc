// An alias keeps the span of its anchor's node, which identifies the copies of a secret.
#include <set>
#include <tuple>
#include <vector>

#include "secrets/taint.h"

namespace capwright::secrets {
namespace {

class Tainter {
 public:
  Tainter(std::span<const Span> secrets, Stage& stage) : stage_(stage) {
    for (const Span& secret : secrets) secrets_.insert(key(secret));
  }

  // The replacement for `value`; empty if it is unchanged.
  bool taint(Value& value) {
    if (value.tainted()) return false;
    if (secrets_.count(key(stage_.origins[value.origin()].span)) != 0) {
      value = value.with_taint();
      return true;
    }
    if (value.is(Kind::List)) return taint_list(value);
    return value.is(Kind::Map) && taint_map(value);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Key key(Span span) { return {static_cast<std::uint32_t>(span.file), span.begin, span.end}; }

  bool taint_list(Value& list) {
    std::vector<Value> items(list.items().begin(), list.items().end());
    bool changed = false;
    for (Value& item : items) changed = taint(item) || changed;
    if (changed) list = make_list(stage_.arena, items).with_origin(list.origin()).with_style(list.style());
    return changed;
  }

  bool taint_map(Value& map) {
    std::vector<Entry> entries(map.entries().begin(), map.entries().end());
    bool changed = false;
    for (Entry& entry : entries) changed = taint(entry.value) || changed;
    if (changed) map = make_map(stage_.arena, entries).with_origin(map.origin()).with_style(map.style());
    return changed;
  }

  Stage& stage_;
  std::set<Key> secrets_;
};

}  // namespace

Value taint_aliases(const Value& values, std::span<const Span> secrets, Stage& stage) {
  Value tainted = values;
  if (!secrets.empty()) Tainter(secrets, stage).taint(tainted);
  return tainted;
}

}  // namespace capwright::secrets
