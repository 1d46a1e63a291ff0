// Tags are bytes of a word; the index is probed linearly, at a load of at most one half.
#include "value/map_index.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace capwright {
namespace {

constexpr std::uint64_t kEachByte = 0x0101010101010101;
static_assert(kLargestUnindexedMap == sizeof kEachByte);
// Otherwise the hashes of constants, computed byte by byte by the compiler, would differ from those computed at run
// time.
static_assert(std::endian::native == std::endian::little);

// The top bits are mixed best.
std::uint64_t tag_of(std::uint32_t hash) { return hash >> 24; }

// The high bit of each byte that equals `tag`; a byte above such a byte may be a false positive.
std::uint64_t equal_bytes(std::uint64_t tags, std::uint64_t tag) {
  const std::uint64_t apart = tags ^ tag * kEachByte;
  return (apart - kEachByte) & ~apart & kEachByte << 7;
}

// Only String keys are looked up in the index. The others have one hash, and would form one long chain.
void insert(Map& map, std::uint32_t number) {
  if (!map.entries[number].key.is(Kind::String)) return;
  std::uint32_t slot = key_hash(map.entries[number].key) & map.index_mask;
  while (map.index[slot] != 0) slot = (slot + 1) & map.index_mask;
  map.index[slot] = number + 1;
}

// Compares word by word; the last word may overlap the one before it. Needs at least one word.
template <class Word>
bool are_same_words(const char* a, const char* b, std::size_t size) {
  const std::size_t last = size - sizeof(Word);
  Word differ = word_at<Word>(a + last) ^ word_at<Word>(b + last);
  for (std::size_t i = 0; i < last; i += sizeof(Word)) differ |= word_at<Word>(a + i) ^ word_at<Word>(b + i);
  return differ == 0;
}

// Inlined instead of memcmp, because keys are short.
bool are_same(const char* a, const char* b, std::size_t size) {
  if (size >= sizeof(std::uint64_t)) return are_same_words<std::uint64_t>(a, b, size);
  if (size >= sizeof(std::uint32_t)) return are_same_words<std::uint32_t>(a, b, size);
  return std::equal(a, a + size, b);
}

// Equal hashes nearly always mean equal keys.
bool is_key(const Value& key, std::string_view wanted, std::uint32_t hash) {
  if (!key.is(Kind::String)) return false;
  const Text& text = *key.text_rep();
  return (text.hash == hash || text.hash == 0) && text.size == wanted.size() &&
         are_same(text.data, wanted.data(), wanted.size());
}

}  // namespace

void index_map(Map& map, Arena& arena) {
  if (map.size <= kLargestUnindexedMap) {
    map.index = nullptr;
    map.tags = 0;
    for (std::uint32_t i = 0; i < map.size; ++i) map.tags |= tag_of(key_hash(map.entries[i].key)) << 8 * i;
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
    for (std::uint64_t found = equal_bytes(map.tags, tag_of(hash)); found != 0; found &= found - 1) {
      const auto number = static_cast<std::uint32_t>(std::countr_zero(found)) / 8;
      if (number >= map.size) return nullptr;
      if (is_key(map.entries[number].key, key, hash)) return map.entries + number;
    }
    return nullptr;
  }
  for (std::uint32_t slot = hash & map.index_mask; map.index[slot] != 0; slot = (slot + 1) & map.index_mask) {
    Entry& entry = map.entries[map.index[slot] - 1];
    if (is_key(entry.key, key, hash)) return &entry;
  }
  return nullptr;
}

}  // namespace capwright
