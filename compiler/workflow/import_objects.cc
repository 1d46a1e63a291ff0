// An object belongs to the cluster that its label, its `spec.clusterName`, a reference or the start of its name names.
#include "workflow/import_objects.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "rotation/keep.h"
#include "workflow/import_tree.h"

namespace capwright::workflow {
namespace {

constexpr const char* kRules = "schemas/import/manifests.yaml";
constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";

// In a comment of a file that isn't a manifest, such as the values of a chart.
constexpr std::string_view kSkippedByArgoCd = "+argocd:skip-file-rendering";

std::string title(std::string_view kind, std::string_view space, std::string_view name) {
  return fmt::format("{} {}{}{}", kind, space, space.empty() ? "" : "/", name);
}

// A controller created the object for another one, such as a Machine for a MachineSet. A Cluster also owns what people
// write.
bool is_made_for_another(const Value& object) {
  const Value* owners = find_at(object, {{"metadata"}, {"ownerReferences"}});
  if (owners == nullptr || !owners->is(Kind::List)) return false;
  return std::any_of(owners->items().begin(), owners->items().end(), [](const Value& owner) {
    const Value* controls = owner.find("controller");
    return controls != nullptr && controls->is(Kind::Bool) && controls->as_bool() && owner.text_at("kind") != "Cluster";
  });
}

// The API server reads a null like a missing field.
Value without_nulls(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(without_nulls(item, arena));
    return make_list(arena, items);
  }
  if (!value.is(Kind::Map)) return value;
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries()) {
    if (!entry.value.is(Kind::Null)) entries.push_back({entry.key, without_nulls(entry.value, arena)});
  }
  return make_map(arena, entries);
}

// `kubeadm.controlplane.cluster.x-k8s.io` and `cluster.x-k8s.io/machinedeployment` have the domain `cluster.x-k8s.io`.
bool has_domain(const Value& finalizer, std::string_view domain) {
  return finalizer.is(Kind::String) && finalizer.text().substr(0, finalizer.text().find('/')).ends_with(domain);
}

Value without_field(const Value& object, const Value& field, std::size_t& dropped, Arena& arena) {
  TreePath path;
  for (const Value& key : field.items()) path.push_back({std::string(key.text())});
  const Value* found = find_at(object, path);
  if (found == nullptr) return object;
  dropped += leaves_of(*found);
  return without(object, path, arena);
}

Value without_finalizers(const Value& object, std::string_view domain, std::size_t& dropped, Arena& arena) {
  const TreePath path{{"metadata"}, {"finalizers"}};
  const Value* found = find_at(object, path);
  if (found == nullptr || !found->is(Kind::List)) return object;
  std::vector<Value> kept;
  for (const Value& each : found->items()) {
    if (!has_domain(each, domain)) kept.push_back(each);
  }
  dropped += found->items().size() - kept.size();
  return kept.empty() ? without(object, path, arena) : with_value(object, path, make_list(arena, kept), arena);
}

// Templates are named by their `spec.template.spec`. One that has no field, such as a KubeadmConfigTemplate of
// clusterctl, may lack it. `empty`: what it says in place of that, by kind.
Value with_template_spec(std::string_view kind, const Value& object, const Value& empty, Arena& arena) {
  const TreePath path{{"spec"}, {"template"}, {"spec"}};
  const bool is_template = kind.ends_with("ConfigTemplate") || kind.ends_with("MachineTemplate");
  const Value* spec = find_at(object, path);
  const bool has_fields = spec != nullptr && !(spec->is(Kind::Map) && spec->entries().empty());
  if (!is_template || has_fields) return object;
  const Value* same = empty.find(kind);
  return with_value(object, path, same == nullptr ? make_map(arena, {}) : copy_of(*same, arena), arena);
}

bool is_retired_file(std::string_view path) { return path.substr(path.rfind('/') + 1) == rotation::kRetiredFile; }

// Why a document that describes a cluster, but isn't a manifest, isn't imported; otherwise empty.
std::string_view other_source(const Value& document) {
  if (!document.is(Kind::Map) || document.find("kind") != nullptr) return {};
  if (document.find("opencenter") != nullptr)
    return "a configuration of opencenter has no manifests; `capwright deploy` reads it as it is";
  const bool has_values = document.find("cluster_name") != nullptr && document.find("provider") != nullptr;
  return has_values ? "it has values already; move it to the folder of values files, and run `capwright render`" : "";
}

// `infrastructureRef`, `configRef`, `controlPlaneRef`: what a cluster, its control plane or its machines are made with.
void each_part(const Value& value, const std::function<void(const Value& reference)>& visit) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) each_part(item, visit);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      const std::string_view key = entry.key.text();
      if (key == "infrastructureRef" || key == "configRef" || key == "controlPlaneRef") visit(entry.value);
      else each_part(entry.value, visit);
    }
  }
}

}  // namespace

Value without_server_fields(const Value& object, std::size_t& dropped, Arena& arena) {
  static const BuiltInYaml rules(kRules);
  Value value = object;
  for (const Value& field : rules.content().find("dropped")->items())
    value = without_field(value, field, dropped, arena);
  return value;
}

bool is_pool(std::string_view kind) { return kind == "MachineDeployment" || kind == "MachinePool"; }

void each_reference(const Value& value, const std::function<void(std::string_view, std::string_view)>& visit) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) each_reference(item, visit);
  } else if (value.is(Kind::Map)) {
    const std::string_view kind = value.text_at("kind"), name = value.text_at("name");
    if (!kind.empty() && !name.empty()) visit(kind, name);
    for (const Entry& entry : value.entries()) each_reference(entry.value, visit);
  }
}

std::string ImportedManifests::add(const std::string& shown, std::string text) {
  side_.add_file(fmt::format("{}{}", side_.files().size(), text.starts_with('{') ? ".json" : ".yaml"), std::move(text));
  const diff::SideFile& added = side_.files().back();
  if (side_.text(added).find(kSkippedByArgoCd) != std::string_view::npos) {
    left_out_.push_back({shown, "Argo CD skips the file"});
    return {};
  }
  side_.read(added);
  if (is_retired_file(shown)) retired_.insert(&added);
  for (const YamlDocument& document : added.documents) {
    if (const std::string_view why = other_source(document.value); !why.empty())
      left_out_.push_back({shown, std::string(why)});
  }
  return added.broken ? fmt::format("`{}` isn't valid YAML or JSON", shown) : "";
}

void ImportedManifests::leave_out(const diff::Object& object, std::string why) {
  reasons_[title(object.kind, "", object.name)] = why;
  left_out_.push_back({title(object.kind, object.space, object.name), std::move(why)});
}

bool ImportedManifests::takes(const diff::Object& object) {
  if (object.kind.empty() || object.name.empty()) return false;
  if (object.is_secret()) {
    leave_out(object, "a Secret isn't imported; docs/secrets.md says how clusters get theirs");
    return false;
  }
  if (has_word(*rules().find("controlled"), object.kind) || is_made_for_another(object.value)) {
    leave_out(object, "a controller creates it");
    return false;
  }
  // Rendered templates have `Prune=false`, so the object stays for the machines that are being replaced.
  if (retired_.contains(object.file)) {
    leave_out(object, "it is an earlier generation of a template; it stays in the cluster, without a manifest");
    return false;
  }
  if (object.kind == "ConfigMap" && has_word(*rules().find("everywhere"), object.name)) {
    leave_out(object, "Kubernetes creates it in every namespace");
    return false;
  }
  const bool only_names = has_word(*rules().find("named_secrets"), object.kind);
  const std::string secret = only_names ? "" : readable_secret_in(object, side_);
  if (secret.empty()) return true;
  leave_out(object, fmt::format("`{}` looks like a readable secret; move it into a Secret, and refer to that", secret));
  return false;
}

std::string ImportedManifests::cluster_of(const ImportedObject& object) const {
  if (object.kind == "Cluster" && object.group == "cluster.x-k8s.io") return std::string(object.name);
  const Value* label = find_at(object.value, {{"metadata"}, {"labels"}, {std::string(kClusterLabel)}});
  const Value* stated = find_at(object.value, {{"spec"}, {"clusterName"}});
  for (const Value* name : {label, stated}) {
    if (name != nullptr && name->is(Kind::String) && clusters_.contains(std::string(name->text())))
      return std::string(name->text());
  }
  return {};
}

std::string ImportedManifests::group() {
  std::vector<ImportedObject> loose;
  std::map<std::string, Value> known;
  for (const diff::Object& object : side_.objects()) {
    if (!takes(object)) continue;
    Value value = without_nulls(copy_of(object.value, arena_), arena_);
    std::size_t dropped = 0;
    value = without_server_fields(value, dropped, arena_);
    for (const Entry& mark : rules().find("dropped_with")->entries()) {
      if (find_at(value, {{"metadata"}, {"annotations"}, {std::string(mark.key.text())}}) == nullptr) continue;
      for (const Value& field : mark.value.items()) value = without_field(value, field, dropped, arena_);
    }
    value = without_finalizers(value, rules().text_at("finalizers"), dropped, arena_);
    std::string_view space = object.space;
    // As kubectl applies it. Identities of providers belong to no namespace.
    if (space.empty() && object.group.ends_with("cluster.x-k8s.io") && !object.kind.ends_with("Identity")) {
      space = "default";
      value = with_value(value, {{"metadata"}, {"namespace"}}, make_string(arena_, space), arena_);
    }
    value = with_template_spec(object.kind, value, *rules().find("empty_specs"), arena_);
    const auto [first, is_new] =
        known.try_emplace(fmt::format("{}/{}/{}/{}", object.group, object.kind, space, object.name), value);
    if (!is_new && json_equal(first->second, value)) continue;
    // Only one of them is live, and the manifests don't say which one.
    if (!is_new)
      return fmt::format("{} is in the manifests twice, and the two differ; remove the one that isn't live",
                         title(object.kind, space, object.name));
    loose.push_back({object.group, object.kind, space, object.name, value, dropped});
    if (object.kind == "Cluster" && object.group == "cluster.x-k8s.io")
      clusters_[std::string(object.name)] = {std::string(object.name), std::string(space), {}, {}};
  }
  follow_references(loose);
  find_missing(loose);
  return {};
}

// Without such an object, the values would keep examples in its place, and machines would be replaced by others.
void ImportedManifests::find_missing(const std::vector<ImportedObject>& all) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const ImportedObject& object : all) known.emplace(object.kind, object.name);
  const Value& controlled = *rules().find("controlled");
  for (auto& [name, cluster] : clusters_) {
    for (const ImportedObject& object : cluster.objects) {
      if (!object.group.ends_with("cluster.x-k8s.io")) continue;
      each_part(object.value, [&](const Value& reference) {
        const std::string_view kind = reference.text_at("kind"), part = reference.text_at("name");
        const std::string_view version = reference.text_at("apiVersion");
        const bool is_there = part.empty() || known.contains({kind, part}) || has_word(controlled, kind);
        if (is_there) return;
        const std::string_view group =
            version.empty() ? reference.text_at("apiGroup") : version.substr(0, version.find('/'));
        const auto reason = reasons_.find(title(kind, "", part));
        cluster.missing.push_back({std::string(kind), std::string(group), std::string(part),
                                   title(object.kind, "", object.name),
                                   reason == reasons_.end() ? std::string() : reason->second});
      });
    }
  }
}

void ImportedManifests::follow_references(std::vector<ImportedObject>& loose) {
  std::vector<std::string> of(loose.size());
  std::vector<std::size_t> taken;  // indexes of those with a cluster, in the order in which it was found
  const auto take = [&](std::size_t i, const std::string& cluster) {
    of[i] = cluster;
    taken.push_back(i);
  };
  for (std::size_t i = 0; i < loose.size(); ++i) {
    if (const std::string cluster = cluster_of(loose[i]); !cluster.empty()) take(i, cluster);
  }
  std::multimap<std::pair<std::string_view, std::string_view>, std::size_t> named;  // by kind and name
  for (std::size_t i = 0; i < loose.size(); ++i) named.insert({{loose[i].kind, loose[i].name}, i});
  for (std::size_t next = 0; next < taken.size(); ++next) {
    const std::string cluster = of[taken[next]];
    each_reference(loose[taken[next]].value, [&](std::string_view kind, std::string_view name) {
      const auto [first, last] = named.equal_range({kind, name});
      for (auto found = first; found != last; ++found) {
        if (of[found->second].empty()) take(found->second, cluster);
      }
    });
  }
  for (std::size_t i = 0; i < loose.size(); ++i) {
    std::string cluster = of[i];
    for (const auto& [name, each] : clusters_) {
      const bool is_longer = name.size() > cluster.size() || !of[i].empty();
      const bool matches = loose[i].name == name || loose[i].name.starts_with(name + "-") || loose[i].space == name;
      if (of[i].empty() && is_longer && matches) cluster = name;
    }
    if (cluster.empty() && clusters_.size() == 1) cluster = clusters_.begin()->first;
    if (cluster.empty())
      left_out_.push_back({title(loose[i].kind, loose[i].space, loose[i].name), "no cluster refers to it"});
    else clusters_.at(cluster).objects.push_back(loose[i]);
  }
}

}  // namespace capwright::workflow
