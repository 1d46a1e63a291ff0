// All kinds of the providers' groups are known, but only some of the server's own. So names must be more similar than
// where all names are known.
#include "lint/facts/unknown_kinds.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "crd/registry.h"
#include "diag/suggest.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kMostEdits = 2;

bool is_near(std::string_view text, std::string_view known) {
  const std::size_t longer = std::max(text.size(), known.size());
  if (longer - std::min(text.size(), known.size()) > kMostEdits) return false;
  return edit_distance(text, known) <= std::min(kMostEdits, std::max<std::size_t>(1, text.size() / 4));
}

// Any text may be where the kind belongs, such as a whole document with a secret.
bool is_name_of_kind(std::string_view text) {
  constexpr std::size_t kLongest = 63;  // of a kind that a CRD may declare
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

// Prefers served versions, and among them the stored one.
bool is_better(const crd::KindVersion& kind, const crd::KindVersion* than) {
  return kind.served && (than == nullptr || (kind.storage && !than->storage));
}

}  // namespace

bool is_unknown_kind(const Object& object) {
  return object.cluster().context().registry != nullptr && !object.api_version().empty() &&
         object.known_versions().empty();
}

MeantKind meant_kind(const Object& object) {
  // A group without a dot belongs to Kubernetes, as `extensions` did: CRDs can't have one.
  bool is_group_known = !object.group().empty() && object.group().find('.') == std::string_view::npos;
  const crd::KindVersion* elsewhere = nullptr;   // the same kind, in another group
  const crd::KindVersion* near_group = nullptr;  // in a group with a similar name
  const crd::Registry& registry = *object.cluster().context().registry;
  for (const crd::KindVersion& known : registry.kinds()) {
    if (known.group == object.group()) {
      is_group_known = true;
      if (is_near(object.kind(), known.kind)) return {known.kind, {}};
    } else if (known.kind == object.kind()) {
      if (is_better(known, elsewhere)) elsewhere = &known;
      if (is_near(object.group(), known.group) && is_better(known, near_group)) near_group = &known;
    }
  }
  if (near_group != nullptr) return {{}, near_group->api_version()};
  // Another group may have a kind of the same name; if the group were known, its kind would be known as well.
  if (is_group_known && elsewhere != nullptr) return {{}, elsewhere->api_version()};
  return {};
}

std::string_view meant_kind(std::string_view group, std::string_view kind, const Cluster& cluster) {
  const crd::Registry* registry = cluster.context().registry;
  if (registry == nullptr || !registry->versions(group, kind).empty()) return {};
  for (const crd::KindVersion& known : registry->kinds()) {
    if (known.group == group && is_near(kind, known.kind)) return known.kind;
  }
  return {};
}

void UnknownKinds::add(const UnknownKinds& other) {
  objects += other.objects;
  has_more_names = has_more_names || other.has_more_names;
  for (const std::string& name : other.names) add_name(name);
}

void UnknownKinds::add_name(std::string_view name) {
  names.emplace(name);
  if (names.size() <= kMostNames) return;
  names.erase(std::prev(names.end()));
  has_more_names = true;
}

UnknownKinds unknown_kinds(const Cluster& cluster) {
  UnknownKinds found;
  for (const Object* object : cluster.objects()) {
    if (!is_unknown_kind(*object) || meant_kind(*object).exists()) continue;
    ++found.objects;
    if (is_name_of_kind(object->kind())) found.add_name(object->kind());
  }
  return found;
}

}  // namespace capwright::lint
