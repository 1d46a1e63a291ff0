// Linear probing at a load of at most one half.
#include "value/map_index.h"

#include <algorithm>
#include <bit>

namespace capwright {
namespace {

void insert(Map& map, std::uint32_t number) {
  std::uint32_t slot = key_hash(map.entries[number].key) & map.index_mask;
  while (map.index[slot] != 0) slot = (slot + 1) & map.index_mask;
  map.index[slot] = number + 1;
}

// By the hash alone, which is nearly always right.
bool may_be(const Value& key, std::uint32_t hash) {
  return key.is(Kind::String) && (key.text_rep()->hash == hash || key.text_rep()->hash == 0);
}

}  // namespace

void index_map(Map& map, Arena& arena) {
  if (map.size <= kLargestUnindexedMap) {
    map.index = nullptr;
    map.index_mask = 0;
    for (std::uint32_t i = 0; i < map.size; ++i) map.index_mask |= key_bit(key_hash(map.entries[i].key));
    return;
  }
  const std::uint32_t slots = std::bit_ceil(std::max(map.size, map.capacity)) * 2;
  if (map.index == nullptr || map.index_mask + 1 < slots) {
    map.index = arena.make_array<std::uint32_t>(slots);
    map.index_mask = slots - 1;
  }
  std::fill_n(map.index, map.index_mask + 1, 0u);
  for (std::uint32_t i = 0; i < map.size; ++i) insert(map, i);
}

void index_last_entry(Map& map, Arena& arena) {
  if (map.index == nullptr || map.size * 2 > map.index_mask) {
    index_map(map, arena);
  } else {
    insert(map, map.size - 1);
  }
}

Entry* find_entry(const Map& map, std::string_view key, std::uint32_t hash) {
  if (map.index == nullptr) {
    if ((map.index_mask & key_bit(hash)) == 0) return nullptr;
    for (Entry* entry = map.entries; entry != map.entries + map.size; ++entry) {
      if (may_be(entry->key, hash) && entry->key.text() == key) return entry;
    }
    return nullptr;
  }
  for (std::uint32_t slot = hash & map.index_mask; map.index[slot] != 0; slot = (slot + 1) & map.index_mask) {
    Entry& entry = map.entries[map.index[slot] - 1];
    if (may_be(entry.key, hash) && entry.key.text() == key) return &entry;
  }
  return nullptr;
}

}  // namespace capwright
