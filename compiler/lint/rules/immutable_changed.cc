// CAP902: changes that the API server rejects, and changes of templates that have no effect.
#include <algorithm>
#include <functional>

#include "crd/update.h"
#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/immutable_fields.h"
#include "lint/model/printed.h"
#include "lint/model/references.h"
#include "migrate/convert.h"
#include "pipeline/template_set.h"
#include "rotation/naming.h"
#include "text/trim.h"

namespace capwright::lint::rules::immutable_changed {
namespace {

bool makes_machines(std::string_view kind) {
  return kind.ends_with("MachineTemplate") || kind.ends_with("ConfigTemplate");
}

bool is_below(std::string_view path, std::string_view above) {
  return path.starts_with(above) &&
         (path.size() == above.size() || path[above.size()] == '.' || path[above.size()] == '[');
}

// The changed parts of a rejected field, or the field itself if they are unknown.
std::vector<Node> refused_parts(const Object& old, const Object& now, std::string_view path) {
  std::vector<Node> parts = changed_parts(old.root(), now.root());
  std::erase_if(parts, [&](const Node& part) { return !is_below(part.path(), path); });
  return parts;
}

// A copy that refers to no source: the old object is of another one.
Value without_places(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(without_places(item, arena));
    return make_list(arena, items);
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries())
      entries.push_back({make_key(arena, entry.key.text()), without_places(entry.value, arena)});
    return make_map(arena, entries);
  }
  return value.with_origin(OriginId::None);
}

// The old value with one changed part of the new one.
Value old_with(const Node& was, const Node& now, const std::string& part, Arena& arena) {
  const std::string at = now.path();
  if (at == part) return now.value();
  if (!at.empty() && !is_below(part, at)) return without_places(was.value(), arena);
  if (was.is(Kind::List) && now.is(Kind::List) && was.size() == now.size()) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < now.size(); ++i) items.push_back(old_with(was.item(i), now.item(i), part, arena));
    return make_list(arena, items);
  }
  std::vector<Entry> entries;
  for (const auto& [key, value] : was.members()) {
    const Node other = now.member(key);
    if (other.exists() || other.path() != part)
      entries.push_back({make_key(arena, key), old_with(value, other, part, arena)});
  }
  for (const auto& [key, value] : now.members()) {
    if (!was.member(key).exists() && value.path() == part) entries.push_back({make_key(arena, key), value.value()});
  }
  return make_map(arena, entries);
}

// A webhook may refuse a whole `spec` in which only some fields are immutable: keeps the parts that it refuses alone,
// if there are any. `refuses`: whether it refuses this update of the old object.
void keep_refused_alone(std::vector<Node>& parts, const Object& old, const Object& now, Arena& arena,
                        const std::function<bool(const Value& update)>& refuses) {
  constexpr std::size_t kMost = 32;  // each part is validated
  if (parts.size() < 2 || parts.size() > kMost) return;
  std::vector<Node> refused;
  for (const Node& part : parts) {
    if (refuses(old_with(old.root(), now.root(), part.path(), arena))) refused.push_back(part);
  }
  if (!refused.empty()) parts = std::move(refused);
}

// A single part, or "`a` and 2 others".
std::string shown(const std::vector<Node>& parts, const std::string& refused) {
  if (parts.empty()) return fmt::format("`{}`", refused);
  const std::size_t others = parts.size() - 1;
  if (others == 0) return fmt::format("`{}`", parts.front().path());
  return fmt::format("`{}` and {} other{}", parts.front().path(), others, others == 1 ? "" : "s");
}

// The ClusterClass that refers to the template; null: none.
const Object* class_of(const Object& object, const Cluster& tree) {
  for (const Object* owner : tree.of_kind("ClusterClass")) {
    for (const Reference& reference : references_of(*owner)) {
      if (reference.kind == object.kind() && reference.name == object.name()) return owner;
    }
  }
  return nullptr;
}

// The step before the one that lets the old template leave the tree, which has to be applied first.
std::string step_before(const Object& now) {
  const Cluster& cluster = now.cluster();
  if (!delivery_deletes(cluster) || delivery_spares_owned(cluster) || is_kept_by_option(now)) return {};
  return fmt::format("first commit and sync `{}` on the template, so that it stays while machines use it; then ",
                     keeping_option(cluster));
}

bool is_of_plain_folder(const Object& object) {
  const TemplateSet* set = object.cluster().templates();
  return set != nullptr && set->plain;
}

// The expression that printed what changes, such as `pool.flavor`, for a filter to follow.
std::string changed_expression(const Finding& finding, const Object& now) {
  constexpr std::string_view kPath = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]";
  const std::uint32_t place = finding.place.span.begin;
  std::string_view printed = expression_at(place, now.cluster(), now.file());
  if (printed.empty()) printed = expression_at(place + 1, now.cluster(), now.file());  // after a quote
  if (printed.size() < 4) return "…";
  printed = trimmed(printed.substr(2, printed.size() - 4));
  const bool is_path = !printed.empty() && printed.find_first_not_of(kPath) == std::string_view::npos;
  return is_path ? std::string(printed) : "…";
}

// For a machine template: own templates have to name it, and a plain folder of them has no rotation.
void add_help_for_template(const Object& now, Finding& finding) {
  const TemplateSet* set = now.cluster().templates();
  if (set == nullptr || set->built_in) {
    finding.help("give the template another name, which replaces its machines");
  } else if (set->plain) {
    const std::string suffix =
        fmt::format("-{{{{ {} | hash(\"sha256\") | truncate(8, true, \"\") }}}}", changed_expression(finding, now));
    finding.note("the first suffix replaces the machines of all pools whose template gets one")
        .of_template()
        .help(
            "{}append what changes to the template's name and to references to it, such as `{}` "
            "(docs/own-templates.md)",
            step_before(now), suffix);
  } else {
    finding.of_template().help("list `{}` under `rotated` in the set's template.yaml, so that changes get another name",
                               now.kind());
  }
}

void add_help(const Object& now, Finding& finding) {
  const std::string_view kind = now.kind();
  const bool is_whole = kind.ends_with("Cluster") || kind.ends_with("ControlPlane");
  const Object* owner = kind.ends_with("Template") ? class_of(now, now.cluster()) : nullptr;
  if (owner != nullptr) finding.help("give the template another name, and refer to it in {}", owner->title());
  else if (makes_machines(kind)) add_help_for_template(now, finding);
  else if (kind.ends_with("MachinePool"))
    finding.help("revert it, or add a pool with another name and remove this one");
  else if (is_whole && is_of_plain_folder(now))
    finding.help(
        "revert it, or render a cluster with another name and delete this one: first its Cluster, which deletes its "
        "pools, "
        "control plane and infrastructure in this order, then its credentials");
  else if (is_whole) finding.help("revert it: another value needs a new cluster");
  else finding.help("revert it, or create an object with another name");
}

// Returns whether the object was reported.
// `before`: the value of the old object in the version of the new one.
bool check_refused(const Object& old, const Value& before, const Object& now, const ClusterChange& change,
                   Report& report) {
  const Context& context = change.after->context();
  if (context.registry == nullptr) return false;
  Stage stage = change.after->stage();
  std::vector<crd::Refusal> refusals =
      crd::refused_update(before, now.root().value(), change.admission, *context.registry, stage);
  std::stable_sort(refusals.begin(), refusals.end(), [](const crd::Refusal& a, const crd::Refusal& b) {
    return a.finding.path.size() > b.finding.path.size();  // most specific first
  });
  const bool changes_topology = static_cast<bool>(old["spec.topology"]) != static_cast<bool>(now["spec.topology"]);
  const std::vector<ControlPlaneStep> steps = control_plane_steps(change);
  const bool goes_back = std::any_of(steps.begin(), steps.end(), [&](const ControlPlaneStep& step) {
    return step.after == &now && step.minor_after < step.minor_before;
  });
  std::vector<std::string> told;
  bool is_refused = false;
  for (const crd::Refusal& refusal : refusals) {
    if (!refusal.of_update) continue;
    is_refused = true;
    const std::string& path = refusal.finding.path;
    if (path == "spec.version") continue;                     // CAP504 reports it
    if (changes_topology && path.ends_with("Ref")) continue;  // CAP901 reports it
    if (goes_back && path.ends_with("imageTag")) continue;    // CAP504 reports the version, which decides it
    std::vector<Node> parts = refused_parts(old, now, path);
    keep_refused_alone(parts, old, now, stage.arena, [&](const Value& update) {
      const auto found = crd::refused_update(before, update, change.admission, *context.registry, stage);
      return std::any_of(found.begin(), found.end(),
                         [&](const crd::Refusal& each) { return each.of_update && each.finding.path == path; });
    });
    const bool names_parts = !parts.empty();
    std::erase_if(parts,
                  [&](const Node& part) { return std::find(told.begin(), told.end(), part.path()) != told.end(); });
    if (names_parts && parts.empty()) continue;
    for (const Node& part : parts) told.push_back(part.path());
    Finding& finding = parts.empty()
                           ? report.at(now, "{} can't be changed: {}", shown(parts, path), refusal.why)
                           : report.at(parts.front(), "{} can't be changed: {}", shown(parts, path), refusal.why);
    if (parts.empty() && refusal.finding.where.known()) finding.place.span = refusal.finding.where;
    finding.place.path = path;
    finding.note("{} rejects it", refusal.by);
    add_help(now, finding);
  }
  return is_refused;
}

// Reports fields that a cloud never changes although no CRD or webhook enforces it.
void check_kept(const Object& old, const Object& now, Report& report) {
  for (const ImmutableField& field : immutable_cloud_fields()) {
    if (field.kind != now.kind()) continue;
    for (const auto& [was, is] : sides_of(field, old, now)) {
      if (json_equal(was.value(), is.value())) continue;
      add_help(now, report.at(is, "`{}` can't be changed: {} never applies the change", is.path(), field.by));
    }
  }
}

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr || change.before == nullptr) return;
  for (const Object* now : change.after->objects()) {
    const Object* old = change.old_of(*now);
    if (old == nullptr || json_equal(old->root().value(), now->root().value())) continue;
    const Value before = migrate::in_version_of(old->root().value(), now->root().value(), change.after->stage().arena);
    if (check_refused(*old, before, *now, change, report)) continue;
    check_kept(*old, *now, report);
    if (!makes_machines(now->kind()) || class_of(*now, *change.after) != nullptr) continue;
    const Value* was = rotation::template_spec(before);
    const Node is = (*now)["spec.template.spec"];
    if (was == nullptr || !is || json_equal(*was, is.value())) continue;
    Finding& finding = report.at(is, "the {} changes without a new name, so no machine is replaced", now->kind());
    add_help_for_template(*now, finding.note("existing machines stay as they are, and new machines differ from them"));
  }
}

}  // namespace

CW_LINT_RULE(immutable_changed){
    .code = "CAP902",
    .name = "immutable-changed",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change of an immutable field, or of a template that isn't read again.

## Why is this bad?

The API server and the providers' webhooks reject some updates, and that only shows when the change is applied. Templates of
other providers may be changed, but machines are created from them once: existing machines stay as they are. Use a template
with [another name](rotation.md) in both cases. `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general, namespace: prod}
spec: {template: {spec: {flavor: m1.large, image: {filter: {name: ubuntu}}}}}
```
```yaml file=after/cluster.yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general, namespace: prod}
spec:
  template:
    spec:
      flavor: m1.xlarge   # error: [immutable-changed] "field is immutable"
      image: {filter: {name: ubuntu}}
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-1, namespace: prod}
spec: {template: {spec: {flavor: m1.large, image: {filter: {name: ubuntu}}}}}
```
```yaml file=after/cluster.yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-2, namespace: prod}
spec: {template: {spec: {flavor: m1.xlarge, image: {filter: {name: ubuntu}}}}}
```
)md",
};

CW_CHANGE_RULE(immutable_changed, check);

}  // namespace capwright::lint::rules::immutable_changed
