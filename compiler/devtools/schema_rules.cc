// Two walks over a schema document: over the subschemas that apply, for rules, and over conditions, for their words.
#include "devtools/schema_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "schema/words.h"

namespace capwright::devtools {
namespace {

constexpr std::string_view kDefinitions = "#/$defs/";
constexpr int kDeepest = 40;  // for recursive references

// Null unless `key` has a value of that kind.
const Value* part_of(const Value& schema, std::string_view key, Kind kind) {
  const Value* value = schema.find(key);
  return value != nullptr && value->is(kind) ? value : nullptr;
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string joined(const std::vector<std::string>& parts, std::string_view word) {
  return fmt::format("{}", fmt::join(parts, word));
}

const Value* referred(const Value& schema, const Value& definitions) {
  const std::string_view reference = schema.text_at("$ref");
  return reference.starts_with(kDefinitions) ? definitions.find(reference.substr(kDefinitions.size())) : nullptr;
}

// Conditions in words.
class ConditionReader {
 public:
  explicit ConditionReader(const Value& definitions) : definitions_(definitions) {}

  // What must hold of the value at `path`, joined by "and".
  std::string words(const Value& schema, const std::string& path) const {
    return joined(claims(schema, path), " and ");
  }

 private:
  using Claims = std::vector<std::string>;

  Claims claims(const Value& schema, const std::string& path) const {
    Claims all;
    if (const std::string_view title = schema.text_at("title"); !title.empty()) return {std::string(title)};
    if (const Value* target = referred(schema, definitions_)) all = claims(*target, path);
    scalar_claims(schema, path, all);
    if (const Value* members = part_of(schema, "properties", Kind::Map)) {
      for (const Entry& member : members->entries()) append(all, claims(member.value, below(path, member.key.text())));
    }
    presence_claims(schema, path, all);
    if (const Value* contained = part_of(schema, "contains", Kind::Map)) all.push_back(containing(*contained, path));
    if (const Value* parts = part_of(schema, "allOf", Kind::List)) {
      for (const Value& part : parts->items()) append(all, claims(part, path));
    }
    if (const Value* parts = part_of(schema, "anyOf", Kind::List)) {
      Claims alternatives;
      for (const Value& part : parts->items()) alternatives.push_back(bracketed(claims(part, path)));
      all.push_back(bracketed(alternatives, " or "));
    }
    if (const Value* negated = part_of(schema, "not", Kind::Map)) all.push_back(negation(claims(*negated, path)));
    return all;
  }

  static std::string bracketed(const Claims& parts, std::string_view word = " and ") {
    return parts.size() == 1 ? parts.front() : "(" + joined(parts, word) + ")";
  }

  static std::string negation(const Claims& parts) {
    constexpr std::string_view kGiven = " is given";
    if (parts.size() != 1 || !parts.front().ends_with(kGiven)) return "not " + bracketed(parts);
    return parts.front().substr(0, parts.front().size() - kGiven.size()) + " is not given";
  }

  static void scalar_claims(const Value& schema, const std::string& path, Claims& all) {
    if (const Value* constant = schema.find("const"))
      all.push_back(fmt::format("`{}` is {}", path, schema::quoted(*constant)));
    if (const Value* candidates = part_of(schema, "enum", Kind::List)) {
      std::vector<std::string> names;
      for (const Value& candidate : candidates->items()) names.push_back(schema::quoted(candidate));
      all.push_back(fmt::format("`{}` is {}", path, joined(names, " or ")));
    }
    if (const std::string_view pattern = schema.text_at("pattern"); !pattern.empty())
      all.push_back(fmt::format("`{}` matches `{}`", path, pattern));
    for (const std::string_view bound : {"minItems", "minLength"}) {
      const Value* least = schema.find(bound);
      if (least == nullptr) continue;
      const bool any = json_equal(*least, Value::integer(1));
      all.push_back(any ? fmt::format("`{}` is not empty", path)
                        : fmt::format("`{}` has {} items or more", path, least->as_int()));
    }
    if (schema.find("maxItems") != nullptr) all.push_back(fmt::format("`{}` is empty", path));
    if (const Value* least = schema.find("minimum"))
      all.push_back(fmt::format("`{}` is {} or more", path, schema::quoted(*least)));
    if (const Value* most = schema.find("maximum"))
      all.push_back(fmt::format("`{}` is at most {}", path, schema::quoted(*most)));
  }

  // A required key must exist; omits it for a key with more specific conditions.
  static void presence_claims(const Value& schema, const std::string& path, Claims& all) {
    const Value* required = part_of(schema, "required", Kind::List);
    if (required == nullptr) return;
    const Value* members = part_of(schema, "properties", Kind::Map);
    const bool says_more = schema.find("anyOf") != nullptr || schema.find("not") != nullptr;
    for (const Value& name : required->items()) {
      if (says_more || (members != nullptr && members->find(name.text()) != nullptr)) continue;
      all.push_back(fmt::format("`{}` is given", below(path, name.text())));
    }
  }

  // "`addons` has `velero`": names an item by its id or name if the condition requires one.
  std::string containing(const Value& item, const std::string& path) const {
    if (const Value* members = part_of(item, "properties", Kind::Map)) {
      for (const std::string_view key : {"id", "name"}) {
        const Value* known = members->find(key);
        if (known == nullptr || members->entries().size() != 1) continue;
        if (const Value* constant = known->find("const"))
          return fmt::format("`{}` has {}", path, schema::quoted(*constant));
        if (const Value* names = part_of(*known, "enum", Kind::List))
          return fmt::format("`{}` has {}", path, one_of(*names));
      }
    }
    if (const Value* constant = item.find("const")) return fmt::format("`{}` has {}", path, schema::quoted(*constant));
    return fmt::format("{} in an item of `{}`", words(item, ""), path);
  }

  static std::string one_of(const Value& names) {
    std::vector<std::string> parts;
    for (const Value& name : names.items()) parts.push_back(schema::quoted(name));
    return joined(parts, " or ");
  }

  static void append(Claims& all, Claims more) { all.insert(all.end(), more.begin(), more.end()); }

  const Value& definitions_;
};

class RuleReader {
 public:
  explicit RuleReader(const Value& definitions) : definitions_(definitions), conditions_(definitions) {}

  std::vector<SchemaRule> read(const Value& part) {
    walk(part, "", "");
    return std::move(rules_);
  }

 private:
  void add(const std::string& when, const std::string& path, std::string takes) {
    rules_.push_back({when, path, std::move(takes)});
  }

  void walk(const Value& schema, const std::string& path, const std::string& when) {
    if (schema.is(Kind::Bool) && !schema.as_bool() && !when.empty()) return add(when, path, "nothing");
    if (!schema.is(Kind::Map) || depth_ == kDeepest) return;
    ++depth_;
    const std::string_view expected = schema.text_at("x-expected");
    if (!when.empty() && !expected.empty()) add(when, path, std::string(expected));
    if (!when.empty()) require(schema, path, when);
    if (const Value* target = referred(schema, definitions_)) walk(*target, path, when);
    inside(schema, path, when);
    if (const Value* parts = part_of(schema, "allOf", Kind::List)) {
      for (const Value& part : parts->items()) member(part, path, when);
    }
    condition(schema, path, when);
    --depth_;
  }

  void require(const Value& schema, const std::string& path, const std::string& when) {
    const Value* required = part_of(schema, "required", Kind::List);
    if (required == nullptr) return;
    for (const Value& name : required->items()) add(when, below(path, name.text()), "required");
  }

  void inside(const Value& schema, const std::string& path, const std::string& when) {
    if (const Value* members = part_of(schema, "properties", Kind::Map)) {
      for (const Entry& entry : members->entries()) walk(entry.value, below(path, entry.key.text()), when);
    }
    if (const Value* items = part_of(schema, "items", Kind::Map)) walk(*items, path + "[]", when);
    if (const Value* others = part_of(schema, "additionalProperties", Kind::Map)) walk(*others, path + ".*", when);
  }

  // A member of `allOf`: without a condition it is only a separate rule if it has an explanation.
  void member(const Value& schema, const std::string& path, const std::string& when) {
    const Value* target = referred(schema, definitions_);
    for (const Value* told : {&schema, target}) {
      const std::string_view title = told != nullptr ? told->text_at("title") : std::string_view();
      if (!title.empty()) return add(when, path, std::string(title));
    }
    const std::string_view expected = schema.text_at("x-expected");
    if (when.empty() && !expected.empty()) add(when, path, std::string(expected));
    walk(schema, path, when);
  }

  void condition(const Value& schema, const std::string& path, const std::string& when) {
    const Value* test = part_of(schema, "if", Kind::Map);
    if (test == nullptr) return;
    const std::string words = conditions_.words(*test, path);
    const std::string_view joint = when.empty() ? "" : ", ";
    if (const Value* then = schema.find("then")) walk(*then, path, fmt::format("{}{}{}", when, joint, words));
    if (const Value* otherwise = schema.find("else"))
      walk(*otherwise, path, fmt::format("{}{}unless {}", when, joint, words));
  }

  const Value& definitions_;
  ConditionReader conditions_;
  std::vector<SchemaRule> rules_;
  int depth_ = 0;
};

}  // namespace

std::vector<SchemaRule> schema_rules(const Value& part, const Value& definitions) {
  return RuleReader(definitions).read(part);
}

}  // namespace capwright::devtools
