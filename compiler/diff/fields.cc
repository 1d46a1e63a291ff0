// Loads the catalogue, and chooses keys.
#include "diff/fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/check.h"
#include "facts/built_in.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::diff {
namespace {

// The catalogue and the data that its values point into; it lives as long as the program.
class Catalogue {
 public:
  Catalogue() {
    Stage stage{sources_, faults_, arena_, origins_, limits_};
    constexpr std::string_view kPath = "schemas/catalogue/diff.yaml";
    content_ = read_yaml(sources_.add(std::string(kPath), std::string(built_in_text(kPath))), stage);
    CW_CHECK(!faults_.failed() && content_.is(Kind::Map), "a catalogue is well-formed YAML");
    for (const Value& profile : at("profiles").items()) profiles_.push_back(read_profile(profile));
  }
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  const Value& at(std::string_view key) const {
    const Value* value = content_.find(key);
    CW_CHECK(value != nullptr, "the catalogue has all of its keys");
    return *value;
  }
  const std::vector<Profile>& profiles() const { return profiles_; }

 private:
  static Profile read_profile(const Value& value) {
    Profile profile{value.find("name")->text(), value.find("summary")->text(), {}};
    for (const Value& path : value.find("paths")->items()) {
      std::string why;
      auto pattern = PathPattern::read(path.text(), why);
      CW_CHECK(pattern.has_value(), "patterns of the catalogue can be read");
      profile.patterns.push_back(std::move(*pattern));
    }
    return profile;
  }

  SourceSet sources_;
  Sink faults_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Value content_;
  std::vector<Profile> profiles_;
};

const Catalogue& catalogue() {
  static const Catalogue book;
  return book;
}

// A scalar as text in a selector; empty for other values.
std::string scalar_text(const Value& value) {
  if (value.is(Kind::String)) return std::string(value.text());
  const bool is_scalar = value.is(Kind::Int) || value.is(Kind::Bool) || value.is(Kind::Float);
  return is_scalar ? canonical_json(value) : "";
}

bool all_are(const Value& list, bool (*is_right)(const Value&)) {
  return std::all_of(list.items().begin(), list.items().end(), is_right);
}

bool is_map(const Value& value) { return value.is(Kind::Map); }
bool is_scalar(const Value& value) { return !value.is(Kind::Map) && !value.is(Kind::List); }

bool tell_apart(const Value& list, std::span<const std::string_view> keys, const crd::Node* schema) {
  std::set<std::string> seen;
  return std::all_of(list.items().begin(), list.items().end(), [&](const Value& item) {
    const std::string selector = selector_of(item, keys, schema);
    return !selector.empty() && seen.insert(selector).second;
  });
}

bool has_repeats(const Value& list) {
  std::set<std::string> seen;
  return std::any_of(list.items().begin(), list.items().end(),
                     [&](const Value& item) { return !seen.insert(canonical_json(item)).second; });
}

ListRule rule_of_catalogue(std::string_view name, const Value& before, const Value& after) {
  const Value* known = catalogue().at("list_keys").find(name);
  const Value& choices = known != nullptr ? *known : catalogue().at("otherwise");
  for (const Value& choice : choices.items()) {
    std::vector<std::string_view> keys;
    for (const Value& key : choice.items()) keys.push_back(key.text());
    if (tell_apart(before, keys, nullptr) && tell_apart(after, keys, nullptr))
      return {ListRule::Kind::Keyed, std::move(keys), true};
  }
  return {};
}

}  // namespace

ListRule list_rule(std::string_view name, const crd::Node* schema, const Value& before, const Value& after) {
  if (schema != nullptr && schema->list_type == crd::ListType::Set) {
    const bool fits =
        all_are(before, is_scalar) && all_are(after, is_scalar) && !has_repeats(before) && !has_repeats(after);
    if (fits) return {ListRule::Kind::Set, {}, false};
  }
  if (!all_are(before, is_map) || !all_are(after, is_map)) return {};
  if (schema != nullptr && schema->list_type == crd::ListType::Map) {
    std::vector<std::string_view> keys(schema->list_map_keys.begin(), schema->list_map_keys.end());
    if (tell_apart(before, keys, schema) && tell_apart(after, keys, schema))
      return {ListRule::Kind::Keyed, std::move(keys), false};
  }
  return rule_of_catalogue(name, before, after);
}

std::string selector_of(const Value& item, std::span<const std::string_view> keys, const crd::Node* schema) {
  std::string selector;
  for (const std::string_view key : keys) {
    const Value* value = item.find(key);
    if (value == nullptr && schema != nullptr && schema->items != nullptr) {
      for (const crd::Property& property : schema->items->table.properties) {
        const bool fits = property.name.text() == key && property.node != nullptr && property.node->has_default;
        if (fits) value = &property.node->default_value;
      }
    }
    if (value == nullptr || value->is(Kind::Null)) continue;
    const std::string text = scalar_text(*value);
    if (text.empty() && !value->is(Kind::String)) return {};
    selector += fmt::format("{}{}={}", selector.empty() ? "" : ",", key, text);
  }
  return selector;
}

const std::vector<Profile>& profiles() { return catalogue().profiles(); }

bool is_open_inside(std::string_view key) {
  const auto names = catalogue().at("open_inside").items();
  return std::any_of(names.begin(), names.end(), [&](const Value& name) { return name.text() == key; });
}

}  // namespace capwright::diff
