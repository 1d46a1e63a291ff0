// Keywords that combine schemas, such as `oneOf`, are ignored: they restrict values that an author gave an example for.
#include "values/examples.h"

#include <cstdint>
#include <vector>

#include "values/merge.h"

namespace capwright::values {
namespace {

const Value* first_of(const Value& schema, std::string_view keyword) {
  const Value* list = schema.find(keyword);
  return list != nullptr && list->is(Kind::List) && !list->items().empty() ? &list->items()[0] : nullptr;
}

constexpr int kMostReferences = 32;  // a definition may refer to itself
constexpr int kDeepest = 8;          // levels of an example

enum class Missing : std::uint8_t { Fails, LeftOut };

std::optional<Value> members(const Value& schema, const Value& document, Missing missing, int depth, Arena& arena);

std::optional<Value> example_at(int depth, const Value& schema, const Value& document, Arena& arena) {
  if (depth > kDeepest) return std::nullopt;
  const Value whole = without_references(schema, document, arena);
  if (const Value* only = whole.find("const")) return *only;
  for (const std::string_view keyword : {"examples", "enum"}) {
    if (const Value* first = first_of(whole, keyword)) return *first;
  }
  if (const Value* fallback = whole.find("default")) return *fallback;
  return members(whole, document, Missing::Fails, depth + 1, arena);
}

// The required members without a default. `missing`: what happens to a member without an example.
std::optional<Value> members(const Value& schema, const Value& document, Missing missing, int depth, Arena& arena) {
  const Value* required = schema.find("required");
  const Value* properties = schema.find("properties");
  if (required == nullptr || properties == nullptr) return std::nullopt;
  std::vector<Entry> entries;
  for (const Value& name : required->items()) {
    const Value* property = properties->find(name.text());
    if (property == nullptr || property->find("default") != nullptr) continue;
    const std::optional<Value> example = example_at(depth, *property, document, arena);
    if (example) entries.push_back({make_key(arena, name.text()), *example});
    else if (missing == Missing::Fails) return std::nullopt;
  }
  return make_map(arena, entries);
}

}  // namespace

Value without_references(Value schema, const Value& document, Arena& arena) {
  constexpr std::string_view kDefinitions = "#/$defs/";
  const Value* definitions = document.find("$defs");
  for (int hops = 0; definitions != nullptr && hops < kMostReferences; ++hops) {
    const std::string_view ref = schema.text_at("$ref");
    const Value* target = ref.starts_with(kDefinitions) ? definitions->find(ref.substr(kDefinitions.size())) : nullptr;
    if (target == nullptr || !target->is(Kind::Map)) break;
    std::vector<Entry> own;
    for (const Entry& entry : schema.entries()) {
      if (entry.key.text() != "$ref") own.push_back(entry);
    }
    schema = merge_schemas(*target, make_map(arena, own), arena);
  }
  return schema;
}

std::optional<Value> example_of(const Value& schema, const Value& document, Arena& arena) {
  return example_at(0, schema, document, arena);
}

Value required_examples(const Value& document, Arena& arena) {
  return members(document, document, Missing::LeftOut, 0, arena).value_or(make_map(arena, {}));
}

}  // namespace capwright::values
