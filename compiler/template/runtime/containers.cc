// Lists and maps that grow while a template runs. They live in the Arena: growing doesn't free the smaller array.
#include <algorithm>
#include <cstring>

#include "diag/catalog/template_operations.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "value/map_index.h"

namespace capwright::jinja {
namespace {

constexpr std::uint32_t kSmallest = 4;

template <class T>
T* grown(Arena& arena, const T* items, std::uint32_t size, std::uint32_t capacity) {
  T* moved = arena.make_array<T>(capacity);
  std::uninitialized_copy_n(items, size, moved);
  return moved;
}

void reserve_one(Arena& arena, List& list) {
  if (list.size < list.capacity) return;
  list.capacity = std::max(kSmallest, list.size * 2);
  list.items = grown(arena, list.items, list.size, list.capacity);
}

Value with_hash(Arena& arena, const Value& key) {
  if (!key.is(Kind::String) || key.text_rep()->hash != 0) return key;
  const Text* text = key.text_rep();
  const auto* hashed = arena.make<Text>(text->data, text->size, hash_text(text->view()), text->map);
  return Value::string(hashed).with_origin(key.origin()).with_taint(key.tainted()).as_markup(key.is_markup());
}

// The entry at a key of any kind, by Python's equality.
Entry* entry_at(Runtime& runtime, const Value& map, const Value& key) {
  runtime.look_at(key);
  if (key.is(Kind::String)) return find_entry(*map.map_rep(), key.text(), key_hash(key));
  // Other keys are found by a linear scan, whose steps must count in a loop over many of them.
  const std::uint32_t size = map.map_rep()->size;
  if (!runtime.step(size / 8)) return nullptr;
  for (Entry& entry : std::span(map.map_rep()->entries, size)) {
    if (!entry.key.is(Kind::String) && runtime.equals(entry.key, key)) return &entry;
  }
  return nullptr;
}

// Moving the items after a position costs about one step per cache line.
constexpr std::uint64_t moving_cost(std::uint64_t items) { return 1 + items / 64; }

}  // namespace

Value Runtime::list(std::span<const Value> items) {
  const auto size = static_cast<std::uint32_t>(items.size());
  const std::uint32_t capacity = std::max(kSmallest, size);
  return Value::list(arena().make<List>(grown(arena(), items.data(), size, capacity), size, capacity));
}

Value Runtime::tuple(std::span<const Value> items) { return make_list(arena(), items).as_tuple(); }

Value Runtime::dict() {
  return Value::map(arena().make<Map>(arena().make_array<Entry>(kSmallest), 0u, kSmallest, nullptr, 0u));
}

bool Runtime::append(const Value& list, const Value& item) {
  List& target = *list.list_rep();
  if (!room_for_items(std::uint64_t{target.size} + 1)) return false;
  reserve_one(arena(), target);
  target.items[target.size++] = item;
  return true;
}

bool Runtime::insert(const Value& list, std::size_t index, const Value& item) {
  List& target = *list.list_rep();
  index = std::min<std::size_t>(index, target.size);
  if (!room_for_items(std::uint64_t{target.size} + 1) || !step(moving_cost(target.size - index))) return false;
  reserve_one(arena(), target);
  std::copy_backward(target.items + index, target.items + target.size, target.items + target.size + 1);
  target.items[index] = item;
  ++target.size;
  return true;
}

void Runtime::erase(const Value& list, std::size_t index) {
  List& target = *list.list_rep();
  if (!step(moving_cost(target.size - index))) return;
  std::copy(target.items + index + 1, target.items + target.size, target.items + index);
  --target.size;
}

void Runtime::clear(const Value& container) {
  if (container.is(Kind::List)) {
    container.list_rep()->size = 0;
    return;
  }
  container.map_rep()->size = 0;
  container.map_rep()->index = nullptr;
}

const Value* Runtime::find(const Value& map, const Value& key) {
  const Entry* entry = entry_at(*this, map, key);
  return entry == nullptr ? nullptr : &entry->value;
}

bool Runtime::set_item(const Value& map, const Value& key, const Value& value) {
  if (!hashable(key)) return false;
  if (key.tainted()) change_by_secret(map.map_rep());
  if (Entry* entry = entry_at(*this, map, key)) {
    entry->value = value;
    return true;
  }
  Map& target = *map.map_rep();
  if (!room_for_items(std::uint64_t{target.size} + 1)) return false;
  if (!key.is(Kind::String) && !step(moving_cost(target.size))) return false;
  if (target.size == target.capacity) {
    target.capacity = std::max(kSmallest, target.size * 2);
    target.entries = grown(arena(), target.entries, target.size, target.capacity);
  }
  target.entries[target.size++] = {with_hash(arena(), key), value};
  index_last_entry(target, arena());
  return true;
}

bool Runtime::remove_item(const Value& map, const Value& key) {
  Entry* entry = entry_at(*this, map, key);
  Map& target = *map.map_rep();
  if (entry == nullptr || !step(moving_cost(target.size))) return false;
  std::copy(entry + 1, target.entries + target.size, entry);
  --target.size;
  index_map(target, arena());
  return true;
}

bool Runtime::hashable(const Value& key) {
  const bool is_view = key.is(Kind::Object) && (type_name(key) == "dict_items" || type_name(key) == "dict_keys");
  if (is_view || key.is(Kind::Map) || (key.is(Kind::List) && !key.is_tuple())) {
    fail_as(diag::wrong_type.info, fmt::format("unhashable type: '{}'", type_name(key)));
    return false;
  }
  if (!usable(key)) return false;
  if (key.is(Kind::String)) return step(key.text_rep()->size / 64);  // its bytes are hashed and compared
  if (!key.is(Kind::List)) return true;
  const Nesting level(*this, "tuples");
  return level.fits() && step(key.items().size()) &&
         std::all_of(key.items().begin(), key.items().end(), [&](const Value& item) { return hashable(item); });
}

Value Runtime::copy_map(const Value& map) {
  if (!map.is(Kind::Map)) return map;
  const Map& original = *map.map_rep();
  const std::uint32_t capacity = std::max(kSmallest, original.size);
  Map* copy = arena().make<Map>(grown(arena(), original.entries, original.size, capacity), original.size, capacity,
                                original.index, original.index_mask, original.tags);
  if (original.index != nullptr) {
    copy->index = arena().make_array<std::uint32_t>(original.index_mask + 1);
    std::memcpy(copy->index, original.index, (original.index_mask + 1) * sizeof(std::uint32_t));
  }
  return derived(Value::map(copy), map).with_style(map.style());
}

Value Runtime::thaw(const Value& value) {
  if (value.is(Kind::List) && !value.is_tuple()) {
    const Value copy = list(value.items());
    for (Value& item : std::span(copy.list_rep()->items, copy.list_rep()->size)) item = thaw(item);
    const Value thawed = derived(copy, value).with_style(value.style());
    return value.tainted() ? thawed.as_marked() : thawed;
  }
  if (!value.is(Kind::Map)) return value.tainted() ? value.as_marked() : value;
  const Value copy = copy_map(value);
  for (Entry& entry : std::span(copy.map_rep()->entries, copy.map_rep()->size)) entry.value = thaw(entry.value);
  return value.tainted() ? copy.as_marked() : copy;
}

}  // namespace capwright::jinja
