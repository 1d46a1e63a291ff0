// Follows properties and items through the schema of a template set.
#include "lsp/values_words.h"

#include <fmt/format.h>

#include "values/examples.h"
#include "yaml/write.h"

namespace capwright::lsp {
namespace {

Value member(const Value& schema, std::string_view key, const Value& document, Arena& arena) {
  const Value whole = values::without_references(schema, document, arena);
  const Value* found = nullptr;
  if (key == "[]") {
    found = whole.find("items");
  } else {
    const Value* properties = whole.find("properties");
    if (properties != nullptr) found = properties->find(key);
    if (found == nullptr) found = whole.find("additionalProperties");
  }
  return found != nullptr && found->is(Kind::Map) ? values::without_references(*found, document, arena) : Value::null();
}

std::string type_of(const Value& schema) {
  const Value* type = schema.find("type");
  if (type == nullptr || !type->is(Kind::List)) return std::string(schema.text_at("type"));
  std::string all;
  for (const Value& each : type->items()) {
    if (each.is(Kind::String)) all += (all.empty() ? "" : ", ") + std::string(each.text());
  }
  return all;
}

std::string detail_of(const Value& schema) {
  std::string detail(schema.text_at("x-expected"));
  if (detail.empty()) detail = type_of(schema);
  if (const Value* fallback = schema.find("default")) detail += fmt::format("; default {}", canonical_json(*fallback));
  return detail;
}

void add_keys(const Value& schema, const Value& document, Arena& arena, std::vector<Word>& words) {
  const Value* properties = schema.find("properties");
  if (properties == nullptr || !properties->is(Kind::Map)) return;
  for (const Entry& property : properties->entries()) {
    if (!property.value.is(Kind::Map)) continue;  // `false`: the set excludes it
    const Value whole = values::without_references(property.value, document, arena);
    words.push_back({std::string(property.key.text()), detail_of(whole), description_of(whole), true});
  }
}

void add_values(const Value& schema, std::vector<Word>& words) {
  for (const std::string_view keyword : {"enum", "examples"}) {
    const Value* list = schema.find(keyword);
    if (list == nullptr || !list->is(Kind::List)) continue;
    for (const Value& item : list->items()) {
      if (item.is(Kind::String)) words.push_back({std::string(item.text()), {}, {}, false});
      else if (item.is_number() || item.is(Kind::Bool)) words.push_back({canonical_json(item), {}, {}, false});
    }
  }
  if (type_of(schema) != "boolean") return;
  words.push_back({"true", {}, {}, false});
  words.push_back({"false", {}, {}, false});
}

}  // namespace

std::vector<Word> words_at(const Value& document, const ValuesCursor& cursor, Arena& arena) {
  Value schema = document;
  for (const std::string& parent : cursor.parents) schema = member(schema, parent, document, arena);
  std::vector<Word> words;
  if (cursor.is_value) add_values(member(schema, cursor.key, document, arena), words);
  else if (schema.is(Kind::Map)) add_keys(schema, document, arena, words);
  return words;
}

Value schema_of(const Value& document, std::string_view path, Arena& arena) {
  Value schema = document;
  while (!path.empty()) {
    const bool is_item = path.front() == '[';
    const std::size_t end = is_item ? path.find(']') + 1 : std::min(path.find_first_of(".["), path.size());
    if (end == 0) return Value::null();  // a key with a bracket of its own
    schema = member(schema, is_item ? "[]" : path.substr(0, end), document, arena);
    path.remove_prefix(end);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return schema;
}

std::string description_of(const Value& schema) {
  const std::string_view title = schema.text_at("title"), description = schema.text_at("description");
  if (title.empty()) return std::string(description);
  return fmt::format("**{}.** {}", title, description);
}

}  // namespace capwright::lsp
