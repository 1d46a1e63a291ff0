// Finding the entries of a Map: by the tags of its keys, all of which are compared at once, and above eight entries by
// a hash index, which is open addressing over entry numbers.
// The same code serves frozen maps and the template engine's growing ones.
#pragma once
#include "value/value.h"

namespace capwright {

inline constexpr std::uint32_t kLargestUnindexedMap = 8;

// The hash of a String key; 0 for keys of other kinds, which are found by a scan (numbers as keys are rare).
inline std::uint32_t key_hash(const Value& key) {
  if (!key.is(Kind::String)) return 0;
  const Text* text = key.text_rep();
  return text->hash != 0 ? text->hash : hash_text(text->view());
}

// Rebuilds the index after any change of entries. Growing maps call it with `room` to spare (capacity).
void index_map(Map&, Arena&);
// Adds the last entry (number size - 1); rebuilds when there is no index, or it is too full.
void index_last_entry(Map&, Arena&);

// The entry of a String key, or null.
Entry* find_entry(const Map&, std::string_view key, std::uint32_t hash);

}  // namespace capwright
