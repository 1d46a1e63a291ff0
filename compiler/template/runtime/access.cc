// `object.name`, `object[key]` and `object[start:stop:step]`: Jinja2's Environment.getattr and getitem.
#include <algorithm>

#include "diag/catalog/template_operations.h"
#include "template/builtins/methods.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "template/runtime/watch.h"
#include "text/utf8.h"
#include "value/map_index.h"

namespace capwright::jinja {
namespace {

// The attributes of a dict that Python finds before its keys. builtin_attribute handles `__class__` and the like.
bool may_be_dict_attribute(std::string_view name) {
  constexpr std::string_view kMethods[] = {"clear", "copy",    "fromkeys",   "get",    "items", "keys",
                                           "pop",   "popitem", "setdefault", "update", "values"};
  if (name.size() < 3 || name.size() > 10) return name.starts_with("__");
  switch (name[0]) {
    case 'c':
    case 'f':
    case 'g':
    case 'i':
    case 'k':
    case 'p':
    case 's':
    case 'u':
    case 'v': return std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods);
    default: return name.starts_with("__");
  }
}

// An int that can be an index; empty for other values and for numbers beyond every index.
std::optional<std::int64_t> as_index(const Value& key) {
  if (key.is(Kind::Int)) return key.as_int();
  if (key.is(Kind::Bool)) return key.as_bool() ? 1 : 0;
  return std::nullopt;
}

// Counted from the end if negative; empty outside [0, size).
std::optional<std::size_t> resolve_index(std::int64_t index, std::size_t size) {
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

std::optional<Value> character_at(Runtime& runtime, const Value& string, std::int64_t index) {
  const std::string_view text = string.text();
  if (!runtime.step(Runtime::work(string))) return Value::error();
  if (utf8::is_ascii(text)) {
    const auto at = resolve_index(index, text.size());
    if (!at) return std::nullopt;
    return runtime.substring(string, *at, *at + 1);
  }
  if (!runtime.step(text.size() / 32)) return Value::error();  // it is decoded twice
  const auto at = resolve_index(index, utf8::length(text));
  if (!at) return std::nullopt;
  const std::size_t begin = utf8::byte_offset(text, *at);
  return runtime.substring(string, begin, begin + utf8::decode(text, begin).size);
}

struct Steps {
  std::int64_t first;
  std::int64_t count;
  std::int64_t step;
};

// The results of slice(start, stop, step).indices(size) and len(range(…)).
Steps steps_of(std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step,
               std::int64_t size) {
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? size - 1 : size;
  const auto clamp = [&](std::int64_t index) {
    if (index < 0) return std::max(index + size, lowest);
    return std::min(index, highest);
  };
  std::int64_t first = lowest;
  if (start) first = clamp(*start);
  else if (step < 0) first = highest;
  std::int64_t last = highest;
  if (stop) last = clamp(*stop);
  else if (step < 0) last = lowest;
  const std::int64_t distance = step < 0 ? first - last : last - first;
  const std::uint64_t stride = step < 0 ? 0 - static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
  const auto count = distance <= 0 ? 0 : (static_cast<std::uint64_t>(distance) - 1) / stride + 1;
  return {first, static_cast<std::int64_t>(count), step};
}

// A bound of a slice: an int, or None for an omitted one. False (and reported) for other values.
bool slice_bound(Runtime& runtime, const Value& value, std::optional<std::int64_t>& bound) {
  if (value.is(Kind::Null)) return true;
  bound = as_index(value);
  if (bound) return true;
  if (const auto whole = runtime.whole(value)) {
    bound = whole->is_negative() ? INT64_MIN / 2 : INT64_MAX / 2;
    return true;
  }
  if (value.is_error()) return false;
  runtime.fail_as(diag::wrong_type.info, "slice indices must be integers or None or have an __index__ method");
  return false;
}

Value slice_string(Runtime& runtime, const Value& string, std::optional<std::int64_t> start,
                   std::optional<std::int64_t> stop, std::int64_t step) {
  const std::string_view text = string.text();
  if (!runtime.step(Runtime::work(string))) return Value::error();
  const Steps steps = steps_of(start, stop, step, static_cast<std::int64_t>(utf8::length(text)));
  if (steps.count == 0) return runtime.substring(string, 0, 0);
  if (step == 1) {
    const std::size_t begin = utf8::byte_offset(text, static_cast<std::size_t>(steps.first));
    const std::size_t end = utf8::byte_offset(text, static_cast<std::size_t>(steps.first + steps.count));
    return runtime.substring(string, begin, end);
  }
  const std::u32string characters = utf8::decode_all(text);
  std::u32string picked;
  for (std::int64_t i = 0; i < steps.count; ++i) {
    picked.push_back(characters[static_cast<std::size_t>(steps.first + i * step)]);
  }
  return runtime.derived(runtime.string(utf8::encode_all(picked)), string).as_markup(string.is_markup());
}

Value slice_list(Runtime& runtime, const Value& list, std::optional<std::int64_t> start,
                 std::optional<std::int64_t> stop, std::int64_t step) {
  const Steps steps = steps_of(start, stop, step, static_cast<std::int64_t>(list.items().size()));
  std::vector<Value> picked;
  picked.reserve(static_cast<std::size_t>(steps.count));
  for (std::int64_t i = 0; i < steps.count; ++i) {
    picked.push_back(list.items()[static_cast<std::size_t>(steps.first + i * step)]);
  }
  if (!runtime.step(picked.size() / 16)) return Value::error();
  return runtime.derived(list.is_tuple() ? runtime.tuple(picked) : runtime.list(picked), list);
}

}  // namespace

const Value* Runtime::find_key(const Value& map, const Identifier& name) {
  return may_be_dict_attribute(name.text) ? nullptr : map.find(name.text, name.hash);
}

std::optional<Value> Runtime::find_attribute(const Value& object, const Identifier& name) {
  if (name.text == "__class__") return Value::object(arena().make<ClassObject>(type_name(object)));
  if (object.is(Kind::Map)) {
    if (may_be_dict_attribute(name.text)) {
      if (auto method = builtin_attribute(*this, object, name)) return method;
    }
    const Value* found = object.find(name.text, name.hash);
    if (found == nullptr) return std::nullopt;
    return part_of(object, *found);
  }
  if (!object.is(Kind::Object)) return builtin_attribute(*this, object, name);
  const Watch watch(*this);
  look_at(object);
  auto found = object.object_rep()->attribute(*this, name);
  if (!found) found = object.object_rep()->item(*this, string(name.text));
  return found ? watch.result(*found) : found;
}

Value Runtime::part_of(const Value& container, const Value& part) {
  if (!container.tainted() && !is_changed(container)) return part;
  if (container.is_marked() && part.is_marked()) return part;
  const bool mapped = part.is(Kind::String) && part.text_rep()->map != nullptr;
  return mapped ? decided(part, container.origin()) : secret(part);
}

std::optional<Value> Runtime::find_item(const Value& object, const Value& key) {
  const Watch watch(*this);
  const auto found = find_any_item(object, key);
  if (!found || !object.is(Kind::Map)) return found ? watch.result(*found) : found;
  return key.tainted() ? decided(*found, key.origin()) : picked(*this, object, *found, key);
}

std::optional<Value> Runtime::find_any_item(const Value& object, const Value& key) {
  const Value* found = nullptr;
  if (object.is(Kind::Map)) {
    // Other unhashable keys are simply missing, but a strict undefined is reported.
    const bool unhashable = key.is(Kind::Map) || (key.is(Kind::List) && !key.is_tuple());
    if (!unhashable && !usable(key)) return Value::error();
    if (!unhashable && step(work(key))) found = find(object, key);
  } else if (const auto index = as_index(key)) {
    look_at(key);
    if (object.is(Kind::List)) {
      if (const auto place = resolve_index(*index, object.items().size())) found = &object.items()[*place];
    } else if (object.is(Kind::String)) {
      look_at(object);
      if (auto character = character_at(*this, object, *index)) return character;
    }
  }
  if (found != nullptr) return part_of(object, *found);
  look_at(key);
  if (object.is(Kind::Object)) {
    look_at(object);
    if (auto item = object.object_rep()->item(*this, key)) return item;
  }
  if (!key.is(Kind::String)) return std::nullopt;
  const Identifier name{key.text(), key_hash(key), here};
  return object.is(Kind::Object) ? object.object_rep()->attribute(*this, name) : builtin_attribute(*this, object, name);
}

Value Runtime::attribute(const Value& object, const Identifier& name) {
  if (object.is_error()) return object;
  if (object.is(Kind::Undefined)) {
    if (name.text == "_undefined_name") return string(object.undefined_info()->name);
    return object.undefined_info()->mode == UndefinedMode::Chainable ? object : fail_undefined(object);
  }
  if (auto found = find_attribute(object, name)) return *found;
  return undefined_item(object, string(name.text), {here, {}});
}

Value Runtime::item(const Value& object, const Value& key) {
  if (object.is_error() || key.is_error()) return Value::error();
  if (object.is(Kind::Undefined)) {
    return object.undefined_info()->mode == UndefinedMode::Chainable ? object : fail_undefined(object);
  }
  if (auto found = find_item(object, key)) return *found;
  return undefined_item(object, key, {here, {}});
}

Value Runtime::slice(const Value& object, const Value& start, const Value& stop, const Value& step) {
  if (object.is_error()) return object;
  if (object.is(Kind::Undefined)) {
    return object.undefined_info()->mode == UndefinedMode::Chainable ? object : fail_undefined(object);
  }
  const Watch watch(*this);
  if (!object.is(Kind::List)) look_at(object);
  for (const Value& bound : {start, stop, step}) look_at(bound);
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  std::optional<std::int64_t> stride;
  if (!object.is(Kind::String) && !object.is(Kind::List)) {
    if (object.is(Kind::Object)) {
      const Value bounds[] = {start, stop, step};
      if (auto part = object.object_rep()->slice(*this, bounds)) return watch.result(*part);
    }
    const bool is_map = object.is(Kind::Map);
    return fail_as(diag::wrong_type.info, is_map ? "unhashable type: 'slice'"
                                                 : fmt::format("'{}' object is not subscriptable", type_name(object)));
  }
  if (!slice_bound(*this, step, stride)) return Value::error();
  if (stride == 0) return fail_as(diag::wrong_value.info, "slice step cannot be zero");
  if (!slice_bound(*this, start, first) || !slice_bound(*this, stop, last)) return Value::error();
  return watch.result(object.is(Kind::String) ? slice_string(*this, object, first, last, stride.value_or(1))
                                              : slice_list(*this, object, first, last, stride.value_or(1)));
}

}  // namespace capwright::jinja
