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
constexpr int kMostMembers = 2000;   // of an example

enum class Missing : std::uint8_t { Fails, LeftOut };

// Schemas may be recursive, and may repeat a definition at each level.
class Examples {
 public:
  Examples(const Value& document, Arena& arena) : document_(document), arena_(arena) {}

  std::optional<Value> of(const Value& schema) {
    if (++members_ > kMostMembers) return std::nullopt;
    const Value whole = without_references(schema, document_, arena_);
    if (const Value* only = whole.find("const")) return *only;
    for (const std::string_view keyword : {"examples", "enum"}) {
      if (const Value* first = first_of(whole, keyword)) return *first;
    }
    if (const Value* fallback = whole.find("default")) return *fallback;
    return members(whole, Missing::Fails);
  }

  // The required members without a default. `missing`: what happens to a member without an example.
  std::optional<Value> members(const Value& schema, Missing missing) {
    const Value* required = schema.find("required");
    const Value* properties = schema.find("properties");
    if (required == nullptr || !required->is(Kind::List) || properties == nullptr) return std::nullopt;
    std::vector<Entry> entries;
    for (const Value& name : required->items()) {
      const Value* property = name.is(Kind::String) ? properties->find(name.text()) : nullptr;
      if (property == nullptr || property->find("default") != nullptr) continue;
      const std::optional<Value> example = of(*property);
      if (example) entries.push_back({make_key(arena_, name.text()), *example});
      else if (missing == Missing::Fails) return std::nullopt;
    }
    return make_map(arena_, entries);
  }

 private:
  const Value& document_;
  Arena& arena_;
  int members_ = 0;
};

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
  return Examples(document, arena).of(schema);
}

Value required_examples(const Value& document, Arena& arena) {
  return Examples(document, arena).members(document, Missing::LeftOut).value_or(make_map(arena, {}));
}

}  // namespace capwright::values
