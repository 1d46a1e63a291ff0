// Globs for rules, resources and label selectors for policies.
#include <algorithm>

#include "lint/own/run.h"
#include "text/glob.h"

namespace capwright::lint::own {
namespace {

using Operator = LabelSelector::Requirement::Operator;
using Words = std::vector<std::string_view>;

bool fits_one(const Words& globs, std::string_view text) {
  return globs.empty() ||
         std::any_of(globs.begin(), globs.end(), [&](std::string_view glob) { return glob_matches(glob, text); });
}

bool fits(const Match& match, const Object& object) {
  const bool named = fits_one(match.kinds, object.kind()) && fits_one(match.groups, object.group()) &&
                     fits_one(match.versions, object.version()) && fits_one(match.names, object.name()) &&
                     fits_one(match.namespaces, object.space()) && fits_one(match.clusters, object.cluster().name());
  return named && std::all_of(match.labels.begin(), match.labels.end(), [&](const auto& label) {
           const Node value = object.label(label.first);
           return value.exists() && glob_matches(label.second, value.written());
         });
}

// The written label, or one that the server adds itself.
std::optional<std::string> label_of(const Object* object, std::string_view key) {
  if (object == nullptr) return std::nullopt;
  const Node value = object->label(key);
  if (value.exists()) return value.written();
  const bool is_own_name = object->kind() == "Namespace" && key == "kubernetes.io/metadata.name";
  return is_own_name ? std::optional(std::string(object->name())) : std::nullopt;
}

bool holds(const LabelSelector::Requirement& requirement, const std::optional<std::string>& label) {
  const Words& values = requirement.values;
  const bool is_in = label && std::find(values.begin(), values.end(), *label) != values.end();
  switch (requirement.op) {
    case Operator::In: return is_in;
    case Operator::NotIn: return !is_in;
    case Operator::Exists: return label.has_value();
    case Operator::DoesNotExist: return !label.has_value();
  }
  return false;
}

bool selects(const LabelSelector& selector, const Object& object) {
  return std::all_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const auto& requirement) { return holds(requirement, label_of(&object, requirement.key)); });
}

// Objects without a namespace always match. For a namespace that isn't in the tree, only the name is known.
bool selects_namespace(const LabelSelector& selector, const Object& object) {
  if (object.kind() == "Namespace" && object.group().empty()) return selects(selector, object);
  if (object.space().empty()) return true;
  const Object* space = object.cluster().find("", "Namespace", "", object.space());
  return std::all_of(selector.requirements.begin(), selector.requirements.end(), [&](const auto& requirement) {
    std::optional<std::string> label = label_of(space, requirement.key);
    if (!label && requirement.key == "kubernetes.io/metadata.name") label = object.space();
    return holds(requirement, label);
  });
}

const crd::KindVersion* known_kind(const Object& object) {
  const auto versions = object.known_versions();
  return versions.empty() ? nullptr : &versions.front();
}

bool is_one_of(const Words& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return word == "*" || word == "*/*" || word == text; });
}

bool covers(const ResourceRule& rule, const Object& object) {
  if (!is_one_of(rule.groups, object.group()) || !is_one_of(rule.versions, object.version())) return false;
  if (!is_one_of(rule.resources, resource_of(object))) return false;
  const bool named = std::find(rule.names.begin(), rule.names.end(), object.name()) != rule.names.end();
  if (!rule.names.empty() && !named) return false;
  if (rule.scope.empty() || rule.scope == "*") return true;
  const crd::KindVersion* kind = known_kind(object);
  const bool namespaced = kind != nullptr ? kind->namespaced : !object.space().empty();
  return namespaced == (rule.scope == "Namespaced");
}

bool covers(const std::vector<ResourceRule>& rules, const Object& object) {
  return std::any_of(rules.begin(), rules.end(), [&](const ResourceRule& rule) { return covers(rule, object); });
}

bool takes(const Resources& resources, const Object& object) {
  return (resources.all || covers(resources.rules, object)) && !covers(resources.excluded, object) &&
         selects(resources.objects, object) && selects_namespace(resources.namespaces, object);
}

}  // namespace

// As `meta.UnsafeGuessKindToResource` of apimachinery does.
std::string resource_of(const Object& object) {
  if (const crd::KindVersion* kind = known_kind(object)) return std::string(kind->plural);
  std::string plural(object.kind());
  std::transform(plural.begin(), plural.end(), plural.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  if (plural.ends_with("endpoints")) return plural;
  if (plural.ends_with('s')) return plural + "es";
  if (plural.ends_with('y')) return plural.substr(0, plural.size() - 1) + "ies";
  return plural + "s";
}

bool is_for(const Rule& rule, const Object& object) {
  if (!rule.is_policy) return fits(rule.match, object);
  const bool bound = rule.bindings.empty() || std::any_of(rule.bindings.begin(), rule.bindings.end(),
                                                          [&](const auto& each) { return takes(each, object); });
  return bound && rule.resources && takes(*rule.resources, object);
}

}  // namespace capwright::lint::own
