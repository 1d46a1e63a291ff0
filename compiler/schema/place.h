// The position of validation in a document: a value, the path to it from the root, and its source.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "source/source.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

// A chain on the stack, from a value up to the root.
struct Place {
  Value value;
  const Place* parent = nullptr;  // null: the root
  const Value* key = nullptr;     // of the parent map; null: an item
  std::uint32_t index = 0;        // of the parent list
};

// "worker_pools[0].count"; keys that aren't plain names are quoted: `extensions."a.b"`. Empty for the root.
std::string path_text(const Place&);
std::string path_text(const Place&, std::string_view key);  // of a member
// The path in backticks, or "the document".
std::string subject(const Place&);

// The place where a user would change the value: the scalar, or the key of a list or map. For a value that isn't in any
// layer, the place of its nearest ancestor that is; for a value that a reference assembled, the reference. Unknown if
// there is none.
Span place_of(const Place&, const OriginTable&, const SourceSet&);
// The place where a user would add to the map or list: its key.
Span heading_of(const Place&, const OriginTable&, const SourceSet&);
// The place of a text or key by its origin; unknown if it isn't in any layer.
Span written_at(const Value&, const OriginTable&);

}  // namespace capwright::schema
