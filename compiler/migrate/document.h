// The text of one YAML document, from an old API version to a newer one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "migrate/convert.h"
#include "value/limits.h"

namespace capwright::migrate {

// A field that stays as it was.
struct Undecided {
  FieldPath path;
  std::string reason;
  std::vector<std::string> choices;  // to write instead
  std::uint32_t begin = 0, end = 0;  // of its key in the text before; of the object's version if it is new
};

struct MigratedDocument {
  std::string kind, name;  // of the object, before
  std::string from, to;    // versions; equal: only references changed
  std::string to_kind;
  std::uint32_t version_at = 0;    // where `apiVersion` is in the text before
  std::vector<std::string> steps;  // in words, in their order
  std::vector<Undecided> undecided;
  std::string text;  // after; the same as before if `changed` is false
  bool changed = false;
};

// `text` is one document, with or without `---`. The result reads as convert() of its object does, except for
// undecided fields. Comments, quotes, order and layout of all that stays are kept.
MigratedDocument migrate_document(std::string_view text, const Goal& goal, const Limits& limits);

// A stream of documents: the parts of a text, each from its `---`. Their concatenation is the text.
std::vector<std::string_view> documents_of(std::string_view text);

}  // namespace capwright::migrate
