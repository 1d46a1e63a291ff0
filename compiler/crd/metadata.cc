// The rules of apimachinery's object metadata. Paths are the server's: they name the map, not the key.
// https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"
#include "cel/named_format.h"
#include "crd/object_checks.h"

namespace capwright::crd {
namespace {

constexpr std::size_t kMostAnnotationBytes = 256 * 1024;
constexpr Text kNoText{"", 0, 0, nullptr};
const Value kNothing = Value::string(&kNoText);

const Value* member_of(const Value& map, std::string_view key, Kind kind) {
  const Value* value = map.find(key);
  return value != nullptr && value->is(kind) ? value : nullptr;
}

// A text for use inside a message; secrets are redacted.
std::string_view shown(const Value& text) { return text.tainted() ? "<redacted>" : text.text(); }

std::vector<std::string> faults_of(std::string_view format, std::string_view text) {
  const cel::NamedFormat* found = cel::find_format(format);
  CW_CHECK(found != nullptr, "the formats of names are known");
  return found->faults(text);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::vector<std::string> name_faults(std::string_view name, NameRule rule) {
  switch (rule) {
    case NameRule::Subdomain: return faults_of("dns1123Subdomain", name);
    case NameRule::Label: return faults_of("dns1123Label", name);
    case NameRule::PathSegment: break;
  }
  if (name == "." || name == "..") return {fmt::format("may not be '{}'", name)};
  std::vector<std::string> faults;
  for (const char c : {'/', '%'}) {
    if (name.find(c) != std::string_view::npos) faults.push_back(fmt::format("may not contain '{}'", c));
  }
  return faults;
}

// The group and version of an owner's apiVersion; both empty if it has more than two parts.
std::pair<std::string_view, std::string_view> group_and_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {{}, api_version};
  if (api_version.find('/', slash + 1) != std::string_view::npos) return {};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

std::string_view shown_at(const Value& map, std::string_view key) {
  const Value* value = member_of(map, key, Kind::String);
  return value != nullptr ? shown(*value) : std::string_view();
}

bool is_controller(const Value& owner) {
  const Value* controller = member_of(owner, "controller", Kind::Bool);
  return controller != nullptr && controller->as_bool();
}

class MetadataChecker {
 public:
  MetadataChecker(Phase phase, const Place& metadata, Reporter& report)
      : phase_(phase), place_(metadata), report_(report) {}

  void check(NameRule rule, bool namespaced) {
    check_name(rule);
    if (const Value* space = member_of(place_.value, "namespace", Kind::String);
        namespaced && space != nullptr && !space->text().empty())
      refuse_all("namespace", *space, faults_of("dns1123Label", space->text()));
    check_labels();
    check_annotations();
    check_owners();
    check_finalizers();
  }

 private:
  const Value& value() const { return place_.value; }

  // `shown` is the value in the server's message, `culprit` the value to edit.
  void refuse(std::string_view member, const Value& shown, const Value& culprit, const std::string& why) {
    const Place at{culprit, &place_, nullptr, 0, nullptr};
    report_.add_at(phase_, Reason::Invalid, path_of(place_, member),
                   span_of(at, report_.stage().origins, report_.stage().sources),
                   with_value(Reason::Invalid, shown) + ": " + why);
  }
  void refuse_all(std::string_view member, const Value& culprit, const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) refuse(member, culprit, culprit, fault);
  }

  void check_name(NameRule rule) {
    const Value* name = member_of(value(), "name", Kind::String);
    const Value* prefix = member_of(value(), "generateName", Kind::String);
    const bool has_prefix = prefix != nullptr && !prefix->text().empty();
    if (has_prefix) {
      // The server appends a suffix, so the prefix may end in a dash.
      std::string base(prefix->text());
      if (base.ends_with('-')) base.back() = 'a';
      refuse_all("generateName", *prefix, name_faults(base, rule));
    }
    if (name != nullptr && !name->text().empty()) return refuse_all("name", *name, name_faults(name->text(), rule));
    if (has_prefix) return;
    // An embedded object needs no name.
    if (phase_ == Phase::Metadata)
      report_.add_missing(phase_, place_, "name").message += ": name or generateName is required";
  }

  void check_labels() {
    const Value* labels = member_of(value(), "labels", Kind::Map);
    if (labels == nullptr) return;
    for (const Entry& entry : labels->entries()) {
      refuse_all("labels", entry.key, faults_of("qualifiedName", entry.key.text()));
      if (entry.value.is(Kind::String)) refuse_all("labels", entry.value, faults_of("labelValue", entry.value.text()));
    }
  }

  void check_annotations() {
    const Value* annotations = member_of(value(), "annotations", Kind::Map);
    if (annotations == nullptr) return;
    std::size_t size = 0;
    for (const Entry& entry : annotations->entries()) {
      refuse_all("annotations", entry.key, faults_of("qualifiedName", lowered(entry.key.text())));
      size += entry.key.text().size() + (entry.value.is(Kind::String) ? entry.value.text().size() : 0);
    }
    if (size <= kMostAnnotationBytes) return;
    const Place at{*annotations, &place_, nullptr, 0, nullptr};
    report_.add_at(phase_, Reason::TooLong, path_of(place_, "annotations"),
                   span_of(at, report_.stage().origins, report_.stage().sources),
                   fmt::format("Too long: may not be more than {} bytes", kMostAnnotationBytes));
  }

  void check_owners() {
    const Value* owners = member_of(value(), "ownerReferences", Kind::List);
    if (owners == nullptr) return;
    std::string controller;
    for (const Value& owner : owners->items()) {
      if (!owner.is(Kind::Map)) continue;
      check_owner(owner);
      if (!is_controller(owner)) continue;
      const std::string named = fmt::format("{}/{}", shown_at(owner, "kind"), shown_at(owner, "name"));
      if (controller.empty()) controller = named;
      else
        refuse("ownerReferences", *owners, *owner.find("controller"),
               fmt::format("Only one reference can have Controller set to true. Found \"true\" in references for "
                           "{} and {}",
                           controller, named));
    }
  }

  void check_owner(const Value& owner) {
    const auto [group, version] = group_and_version(owner.text_at("apiVersion"));
    if (version.empty()) refuse_owner(owner, "apiVersion", "version must not be empty");
    for (const std::string_view key : {"kind", "name", "uid"}) {
      if (owner.text_at(key).empty()) refuse_owner(owner, key, "must not be empty");
    }
    if (group.empty() && version == "v1" && owner.text_at("kind") == "Event")
      refuse("ownerReferences", owner, *owner.find("kind"), "/v1, Kind=Event is disallowed from being an owner");
  }

  void refuse_owner(const Value& owner, std::string_view key, const std::string& why) {
    const Place at{owner, &place_, nullptr, 0, nullptr};
    const Value* written = owner.find(key);
    const Place member{written != nullptr ? *written : Value::null(), &at, nullptr, 0, nullptr};
    report_.add_at(phase_, Reason::Invalid, path_of(place_, "ownerReferences") + "." + std::string(key),
                   span_of(member, report_.stage().origins, report_.stage().sources),
                   with_value(Reason::Invalid, owner.text_at(key).empty() ? kNothing : *written) + ": " + why);
  }

  void check_finalizers() {
    const Value* finalizers = member_of(value(), "finalizers", Kind::List);
    if (finalizers == nullptr) return;
    bool orphans = false, deletes = false;
    const Value* second = nullptr;  // the second of two that exclude each other
    for (const Value& finalizer : finalizers->items()) {
      // Decoding turns null into an empty string.
      const bool is_null = finalizer.is(Kind::Null);
      if (!is_null && !finalizer.is(Kind::String)) continue;
      const std::string_view name = is_null ? std::string_view() : finalizer.text();
      for (const std::string& fault : faults_of("qualifiedName", name))
        refuse("finalizers", is_null ? kNothing : finalizer, finalizer, fault);
      orphans |= name == "orphan";
      deletes |= name == "foregroundDeletion";
      if (orphans && deletes && second == nullptr) second = &finalizer;
    }
    if (second != nullptr)
      refuse("finalizers", *finalizers, *second, "finalizer orphan and foregroundDeletion cannot be both set");
  }

  Phase phase_;
  const Place& place_;
  Reporter& report_;
};

// The server's validation of embedded resources: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/objectmeta.
class EmbeddedChecker {
 public:
  explicit EmbeddedChecker(Reporter& report) : report_(report) {}

  void walk(const Node& node, const Place& place) {
    if (!node.has_embedded) return;
    if (place.value.is(Kind::Map)) {
      if (node.embedded) check(place);
      walk_members(node, place);
    } else if (place.value.is(Kind::List) && node.items != nullptr) {
      const std::span<const Value> items = place.value.items();
      for (std::uint32_t i = 0; i < items.size(); ++i) walk(*node.items, Place::item(items[i], i, place));
    }
  }

 private:
  void walk_members(const Node& node, const Place& place) {
    for (const Entry& entry : place.value.entries()) {
      const Property* property = node.table.find(entry.key);
      const Node* below = property != nullptr ? property->node : node.additional;
      if (below != nullptr) walk(*below, Place::member(entry, place));
    }
  }

  void check(const Place& object) {
    for (const std::string_view key : {"apiVersion", "kind"}) {
      if (object.value.find(key) == nullptr) report_.add_missing(Phase::EmbeddedMetadata, object, key);
    }
    for (const Entry& entry : object.value.entries()) {
      const Place member = Place::member(entry, object);
      const std::string_view key = entry.key.text();
      if (key == "apiVersion") check_text(member, api_version_fault);
      else if (key == "kind") check_text(member, kind_fault);
      else if (key == "metadata" && entry.value.is(Kind::Map))
        MetadataChecker(Phase::EmbeddedMetadata, member, report_).check(NameRule::PathSegment, true);
    }
  }

  void check_text(const Place& place, std::string (*fault_of)(const Value&)) {
    const Value& value = place.value;
    std::string fault = "must be a string";
    if (value.is(Kind::String)) fault = value.text().empty() ? "must not be empty" : fault_of(value);
    if (fault.empty()) return;
    report_.add(Phase::EmbeddedMetadata, Reason::Invalid, place, with_value(Reason::Invalid, value) + ": " + fault);
  }

  static std::string api_version_fault(const Value& value) {
    const std::string_view text = value.text();
    if (std::count(text.begin(), text.end(), '/') <= 1) return {};
    return fmt::format("unexpected GroupVersion string: {}", shown(value));
  }

  static std::string kind_fault(const Value& value) {
    const std::vector<std::string> faults = faults_of("dns1035Label", lowered(value.text()));
    if (faults.empty()) return {};
    return fmt::format("may have mixed case, but should otherwise match: {}", fmt::join(faults, ","));
  }

  Reporter& report_;
};

}  // namespace

void check_metadata(const Place& object, NameRule rule, bool namespaced, Reporter& report) {
  for (const Entry& entry : object.value.entries()) {
    if (entry.key.text() != "metadata" || !entry.value.is(Kind::Map)) continue;
    return MetadataChecker(Phase::Metadata, Place::member(entry, object), report).check(rule, namespaced);
  }
  report.add_missing(Phase::Metadata, object, "metadata.name").message += ": name or generateName is required";
}

void check_embedded(const Node& node, const Place& object, Reporter& report) {
  EmbeddedChecker(report).walk(node, object);
}

}  // namespace capwright::crd
