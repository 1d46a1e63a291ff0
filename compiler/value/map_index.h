// Finds the entries of a Map: up to eight entries by comparing the tags of all keys at once, above that by a hash index
// with open addressing over entry numbers. Frozen maps and the template engine's growing maps share this code.
#pragma once
#include "value/value.h"

namespace capwright {

inline constexpr std::uint32_t kLargestUnindexedMap = 8;

// The hash of a String key; 0 for keys of other kinds, which are found by a scan (numeric keys are rare).
inline std::uint32_t key_hash(const Value& key) {
  if (!key.is(Kind::String)) return 0;
  const Text* text = key.text_rep();
  return text->hash != 0 ? text->hash : hash_text(text->view());
}

// Rebuilds the index after any change of entries. Growing maps call it with spare capacity.
void index_map(Map&, Arena&);
// Adds the last entry (number size - 1); rebuilds a missing or too full index.
void index_last_entry(Map&, Arena&);

// The entry of a String key, or null.
Entry* find_entry(const Map&, std::string_view key, std::uint32_t hash);

}  // namespace capwright
