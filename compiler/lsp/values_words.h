// What a schema says about a place in a values file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "lsp/values_cursor.h"
#include "value/value.h"

namespace capwright::lsp {

struct Word {
  std::string label, detail, documentation;
  bool is_key = false;
};

// Keys that a map may have at the cursor, or values that the key may have. `document`: TemplateSet::schema_document.
std::vector<Word> words_at(const Value& document, const ValuesCursor& cursor, Arena& arena);

// The schema of a path such as `worker_pools[0].count`; Null if it isn't declared.
Value schema_of(const Value& document, std::string_view path, Arena& arena);

// Title and description, in Markdown.
std::string description_of(const Value& schema);

}  // namespace capwright::lsp
