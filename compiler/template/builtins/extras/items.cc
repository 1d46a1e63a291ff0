// Filters that convert between dicts and lists of dicts: dict2items, items2dict, subelements.
#include <optional>
#include <string>
#include <vector>

#include "diag/catalog/template_extras.h"
#include "diag/suggest.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

using MaybeItems = std::optional<std::vector<Value>>;

// The value at `key` of an item, which must be a dict with that key; otherwise null (reported).
const Value* required_field(Runtime& runtime, std::string_view filter, const Value& item, const Value& key) {
  if (!item.is(Kind::Map)) {
    extras::needs(runtime, filter, "dicts as items", item);
    return nullptr;
  }
  if (!runtime.hashable(key)) return nullptr;
  const Value* field = runtime.find(item, key);
  if (field != nullptr) return field;
  const std::string shown = extras::shown(key, runtime.str(key));
  std::vector<std::string_view> names;
  for (const Entry& entry : item.entries()) {
    if (entry.key.is(Kind::String)) names.push_back(entry.key.text());
  }
  if (Diagnostic* fault = runtime.report(diag::item_lacks_key, runtime.here, filter, shown)) {
    const std::string help = did_you_mean(shown, names);
    if (!help.empty()) fault->advise(help);
  }
  return nullptr;
}

// The keys of "a.b.c", or of a list of keys.
MaybeItems path_of(Runtime& runtime, const Value& path) {
  if (extras::is_list(path)) return items_of(runtime, path);
  const auto text = extras::string_argument(runtime, "subelements", path);
  if (!text) return std::nullopt;
  std::vector<Value> keys;
  std::string_view rest = *text;
  for (std::size_t point = rest.find('.'); point != std::string_view::npos; point = rest.find('.')) {
    keys.push_back(runtime.string(rest.substr(0, point)));
    rest.remove_prefix(point + 1);
  }
  keys.push_back(runtime.string(rest));
  return keys;
}

MaybeItems elements_of(Runtime& runtime, const Value& object) {
  if (extras::is_list(object)) return items_of(runtime, object);
  if (!object.is(Kind::Map)) {
    extras::needs(runtime, "subelements", "a list of dicts or a dict", object);
    return std::nullopt;
  }
  std::vector<Value> values;
  for (const Entry& entry : object.entries()) values.push_back(entry.value);
  return values;
}

// The list at `path` below `element`; empty if a key is missing and may be.
Value list_below(Runtime& runtime, const Value& element, const std::vector<Value>& path, bool skip_missing) {
  Value below = element;
  for (const Value& key : path) {
    const bool absent = below.is(Kind::Map) && runtime.hashable(key) && runtime.find(below, key) == nullptr;
    if (absent && skip_missing) return runtime.list({});
    const Value* field = required_field(runtime, "subelements", below, key);
    if (field == nullptr) return Value::error();
    below = *field;
  }
  if (extras::is_list(below)) return below;
  return extras::needs(runtime, "subelements", "a list at the end of the path", below);
}

}  // namespace

Value dict2items_filter(Runtime& runtime, const BoundArguments& arguments) {
  if (!arguments[0].is(Kind::Map)) return extras::needs(runtime, "dict2items", "a dict", arguments[0]);
  const Value items = runtime.list({});
  for (std::size_t i = 0; i < arguments[0].entries().size() && runtime.step(); ++i) {
    const Entry entry = arguments[0].entries()[i];
    const Value item = runtime.dict();
    if (!runtime.set_item(item, arguments[1], entry.key) || !runtime.set_item(item, arguments[2], entry.value) ||
        !runtime.append(items, item)) {
      return Value::error();
    }
  }
  return runtime.stopped() ? Value::error() : items;
}

Value items2dict_filter(Runtime& runtime, const BoundArguments& arguments) {
  if (!extras::is_sequence(runtime, arguments[0])) {
    return extras::needs(runtime, "items2dict", "a list of dicts", arguments[0]);
  }
  const MaybeItems items = items_of(runtime, arguments[0]);
  if (!items) return Value::error();
  const Value dict = runtime.dict();
  for (const Value& item : *items) {
    const Value* key = required_field(runtime, "items2dict", item, arguments[1]);
    const Value* value = key != nullptr ? required_field(runtime, "items2dict", item, arguments[2]) : nullptr;
    if (value == nullptr || !runtime.set_item(dict, *key, *value)) return Value::error();
  }
  return dict;
}

Value subelements_filter(Runtime& runtime, const BoundArguments& arguments) {
  const MaybeItems path = path_of(runtime, arguments[1]);
  const MaybeItems elements = path ? elements_of(runtime, arguments[0]) : std::nullopt;
  const auto skip_missing = elements ? truth_of(runtime, arguments[2]) : std::nullopt;
  if (!skip_missing) return Value::error();
  const Value pairs = runtime.list({});
  for (const Value& element : *elements) {
    const Value below = list_below(runtime, element, *path, *skip_missing);
    if (below.is_error() || !runtime.step(1 + below.items().size())) return Value::error();
    for (const Value& value : below.items()) {
      const Value pair[] = {element, value};
      if (!runtime.append(pairs, runtime.tuple(pair))) return Value::error();
    }
  }
  return pairs;
}

}  // namespace capwright::jinja
