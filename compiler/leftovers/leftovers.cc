// An object is left over when a tool rendered it for a cluster, no file holds it, and no controller deletes it by
// itself. Kinds and their roles are those of the catalogue of effects.
#include "leftovers/leftovers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "plan/effects.h"
#include "plan/machine_sets.h"
#include "plan/removal.h"
#include "text/kubectl.h"

namespace capwright::leftovers {
namespace {

using diff::Object;
using diff::Side;
using plan::KindEffects;
using Tree = std::vector<std::unique_ptr<Side>>;
using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

constexpr std::string_view kClusterGroup = "cluster.x-k8s.io";
constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";
// Secrets that Cluster API makes: certificates and kubeconfigs.
constexpr std::string_view kClusterSecretType = "cluster.x-k8s.io/secret";
// Of Secrets that Argo CD reads, such as the registration of a workload cluster.
constexpr std::string_view kArgoCdSecretLabel = "argocd.argoproj.io/secret-type";
// What Argo CD and Flux write on what they apply: the Application or Kustomization.
constexpr std::string_view kTrackingId = "argocd.argoproj.io/tracking-id";  // "<application>:<group>/<kind>:…"
constexpr std::array<std::string_view, 3> kTrackingLabels{"kustomize.toolkit.fluxcd.io/name",
                                                          "argocd.argoproj.io/instance", "app.kubernetes.io/instance"};

std::string_view text_at(const Value& object, std::string_view path) {
  const Value* value = plan::value_at(object, path);
  return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
}

const Value* entry_of(const Value& object, std::string_view map, std::string_view key) {
  const Value* entries = plan::value_at(object, map);
  return entries != nullptr && entries->is(Kind::Map) ? entries->find(key) : nullptr;
}

std::string_view label(const Value& object, std::string_view key) {
  const Value* value = entry_of(object, "metadata.labels", key);
  return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
}

bool is_namespace(const Object& object) { return object.kind == "Namespace" && object.group.empty(); }

bool is_cluster(const Object& object) { return object.kind == "Cluster" && object.group == kClusterGroup; }

// The name of the cluster that an object says it is of; empty when it doesn't.
std::string_view cluster_of(const Object& object) {
  if (is_cluster(object)) return object.name;
  const std::string_view labelled = label(object.value, kClusterLabel);
  return labelled.empty() ? text_at(object.value, "spec.clusterName") : labelled;
}

Key key_of(const Object& object, std::string_view space) { return {object.group, object.kind, space, object.name}; }

bool has_mark(const Object& object, std::string_view map, std::string_view key) {
  return entry_of(object.value, map, key) != nullptr;
}

// The Application or Kustomization that applied the object; empty: none.
std::string_view applier_of(const Object& object) {
  const Value* id = entry_of(object.value, "metadata.annotations", kTrackingId);
  if (id != nullptr && id->is(Kind::String)) return id->text().substr(0, id->text().find(':'));
  for (const std::string_view key : kTrackingLabels) {
    if (const std::string_view name = label(object.value, key); !name.empty()) return name;
  }
  return {};
}

// Whether the object goes by itself: with an owner other than its Cluster, or as part of a topology; or a controller
// made it.
bool is_kept_by_controllers(const Object& object) {
  if (has_mark(object, "metadata.labels", "topology.cluster.x-k8s.io/owned")) return true;
  if (has_mark(object, "metadata.annotations", "cluster.x-k8s.io/cloned-from-name")) return true;
  if (object.is_secret() && text_at(object.value, "type") == kClusterSecretType) return true;
  const Value* owners = plan::value_at(object.value, "metadata.ownerReferences");
  if (owners == nullptr || !owners->is(Kind::List)) return false;
  return std::any_of(owners->items().begin(), owners->items().end(),
                     [](const Value& owner) { return owner.is(Kind::Map) && text_at(owner, "kind") != "Cluster"; });
}

// Whether Argo CD reaches a workload cluster by the object: the Secret, the ExternalSecret that makes it and the store
// that this one reads, or the project of its Applications, without which Argo CD doesn't delete them.
bool is_registration(const Object& object) {
  if (object.kind == "AppProject" && object.group == "argoproj.io") return true;
  if (object.kind == "SecretStore") return true;
  if (object.is_secret()) return has_mark(object, "metadata.labels", kArgoCdSecretLabel);
  return object.kind == "ExternalSecret" &&
         has_mark(object, "spec.target.template.metadata.labels", kArgoCdSecretLabel);
}

std::optional<What> what_of(const Object& object) {
  if (is_namespace(object)) return What::Namespace;
  constexpr std::string_view kCredentials[] = {"ExternalSecret", "SealedSecret", "SecretStore"};
  if (object.is_secret() ||
      std::find(std::begin(kCredentials), std::end(kCredentials), object.kind) != std::end(kCredentials))
    return What::Credential;
  if (object.kind == "MachineHealthCheck") return What::HealthCheck;
  const KindEffects* known = plan::effects_of(object.group, object.kind);
  if (known == nullptr) return std::nullopt;
  switch (known->role) {
    case KindEffects::Role::Cluster: return What::Cluster;
    case KindEffects::Role::ControlPlane: return What::ControlPlane;
    case KindEffects::Role::Pool:
    case KindEffects::Role::PoolPart: return What::Pool;
    case KindEffects::Role::Template: return What::Template;
    case KindEffects::Role::Release: return std::nullopt;  // Argo CD prunes Applications, which have no owner
    case KindEffects::Role::Object: break;
  }
  return What::Object;
}

bool is_machine_set(const Object& object) { return object.kind == "MachineSet" && object.group == kClusterGroup; }

std::optional<std::int64_t> number_at(const Value& object, std::string_view path) {
  const Value* value = plan::value_at(object, path);
  if (value == nullptr || !value->is(Kind::Int)) return std::nullopt;
  return value->as_int();
}

// Machines that an object keeps: what runs, else what was asked for.
std::optional<std::int64_t> machines_of(const Object& object) {
  std::optional<std::int64_t> machines = number_at(object.value, "status.replicas");
  if (!machines) machines = number_at(object.value, "spec.replicas");
  if (machines) machines = std::max<std::int64_t>(*machines, 0);  // no API server has less, but the file may say so
  return machines;
}

// What a tree holds, and which Secrets its own objects make or need.
class TreeContents {
 public:
  explicit TreeContents(const Tree& tree) {
    for (const auto& side : tree) {
      for (const Object& object : side->objects()) add(object, *side);
      for (const Object& object : side->tombstones()) tombstones_.insert(key_of(object, space_in_tree(object, *side)));
    }
  }

  bool has_tombstone(const Object& live) const { return tombstones_.contains(key_of(live, live.space)); }

  bool holds(const Object& live) const { return keys_.contains(key_of(live, live.space)); }

  // Whether it has a Cluster in the namespace, or an object that names it.
  bool uses_space(std::string_view space) const { return spaces_.contains(space); }

  // In any namespace: a registration is in that of Argo CD.
  bool has_cluster(std::string_view name) const { return clusters_.contains(name); }
  bool has_cluster(std::string_view name, std::string_view space) const { return places_.contains({space, name}); }

  // Secrets that an object of the tree makes, or refers to.
  bool wants_secret(const Object& secret) const {
    const auto here = by_space_.find(secret.space);
    return here != by_space_.end() && std::any_of(here->second.begin(), here->second.end(), [&](const Object* object) {
             return object->name == secret.name ? object->kind == "ExternalSecret" || object->kind == "SealedSecret"
                                                : plan::mentions(object->value, secret.name);
           });
  }

 private:
  // Argo CD applies an object without a namespace to that of its Application, which is called like the cluster.
  static std::string_view space_in_tree(const Object& object, const Side& side) {
    return object.space.empty() ? std::string_view(side.cluster()) : object.space;
  }

  void add(const Object& object, const Side& side) {
    if (object.kind.empty()) return;
    const std::string_view space = space_in_tree(object, side);
    keys_.insert(key_of(object, space));
    if (is_cluster(object)) {
      clusters_.insert(object.name);
      places_.emplace(space, object.name);
      spaces_.insert(space);
    }
    if (!object.space.empty()) spaces_.insert(object.space);
    if (object.space.empty()) keys_.insert(key_of(object, ""));  // of a kind without namespaces
    by_space_[space].push_back(&object);
  }

  std::set<Key> keys_, tombstones_;
  std::set<std::string_view> clusters_, spaces_;                    // names
  std::set<std::pair<std::string_view, std::string_view>> places_;  // of clusters, by namespace and name
  std::map<std::string_view, std::vector<const Object*>> by_space_;
};

class Finder {
 public:
  Finder(const Side& live, const Tree& tree, const ClustersOfHistory& history, bool untracked)
      : live_(live), contents_(tree), history_(history), untracked_(untracked) {}

  Findings find() {
    for (const Object& object : live_.objects()) look_at(object);
    for (const Object* cluster : clusters_) add_cluster(*cluster);
    for (const Object* object : candidates_) add_candidate(*object);
    for (const Object* space : plain_spaces_) add_plain_space(*space);
    std::sort(findings_.leftovers.begin(), findings_.leftovers.end(), [](const Leftover& a, const Leftover& b) {
      const std::string &of_a = block_space(a), &of_b = block_space(b);
      return std::tie(of_a, a.cluster, a.what, a.kind, a.name) < std::tie(of_b, b.cluster, b.what, b.kind, b.name);
    });
    std::sort(findings_.untracked.begin(), findings_.untracked.end());
    std::sort(findings_.unproven.begin(), findings_.unproven.end());
    return std::move(findings_);
  }

 private:
  void look_at(const Object& object) {
    const std::optional<What> what = what_of(object);
    const bool makes_machines = what == What::Pool || what == What::ControlPlane;
    if (makes_machines || is_machine_set(object)) users_.push_back(&object);
    if (!what) return;
    if (cluster_of(object).empty()) {
      if (is_namespace(object) && !contents_.holds(object)) plain_spaces_.push_back(&object);
      return;
    }
    ++findings_.objects;
    if (is_cluster(object)) {
      live_clusters_.insert(object.name);
      live_spaces_.insert(object.space);
    }
    if (contents_.holds(object)) {
      ++findings_.held;
      if (const std::string_view applier = applier_of(object); !applier.empty()) appliers_.insert(applier);
    } else if (is_cluster(object)) {
      clusters_.push_back(&object);
    } else if (!is_kept_by_controllers(object)) {
      candidates_.push_back(&object);
    }
  }

  // Whether something shows that this repository made the object.
  bool is_ours(const Object& object) {
    if (untracked_) return true;
    const std::string_view cluster = cluster_of(object), applier = applier_of(object);
    const bool has_name = contents_.has_cluster(cluster);
    const bool is_named_after = applier == cluster || applier == fmt::format("{}-addons", cluster);  // docs/argocd.md
    if (!applier.empty() && (appliers_.contains(applier) || (has_name && is_named_after))) return true;
    if (contents_.has_cluster(cluster, is_namespace(object) ? object.name : object.space))
      return applier.empty() || appliers_.empty();
    if (has_name) return is_registration(object);
    return was_here(cluster);
  }

  bool was_here(std::string_view cluster) {
    if (!earlier_) earlier_ = history_();
    return earlier_->contains(cluster);
  }

  void add_cluster(const Object& object) {
    gone_.insert({object.space, object.name});
    if (!is_ours(object)) {
      findings_.untracked.push_back(fmt::format("{}/{}", object.space, object.name));
      return;
    }
    Leftover leftover = leftover_of(object, What::Cluster);
    for (const Object* user : users_) {
      if (user->space != object.space || cluster_of(*user) != object.name || is_machine_set(*user)) continue;
      const std::optional<std::int64_t> machines = machines_of(*user);
      if (machines) leftover.machines = leftover.machines.value_or(0) + *machines;
    }
    findings_.leftovers.push_back(std::move(leftover));
  }

  // What belongs to a cluster that goes as a whole goes with it.
  void add_candidate(const Object& object) {
    if (gone_.contains({object.space, cluster_of(object)})) return;
    const What what = *what_of(object);
    if (what == What::Template && is_in_use(object)) return;
    if (object.is_secret() && contents_.wants_secret(object)) return;
    if (is_registration(object) && is_alive(cluster_of(object))) return;
    if (is_namespace(object) && is_in_use_as_space(object.name)) return;
    if (!is_ours(object)) {
      const std::string_view slash = object.space.empty() ? "" : "/";
      findings_.unproven.push_back(fmt::format("{} {}{}{}", object.kind, object.space, slash, object.name));
      return;
    }
    Leftover leftover = leftover_of(object, what);
    if (what == What::Pool || what == What::ControlPlane) leftover.machines = machines_of(object);
    leftover.has_tombstone = contents_.has_tombstone(object);
    leftover.is_registration = is_registration(object);
    findings_.leftovers.push_back(std::move(leftover));
  }

  // `CreateNamespace=true` makes a Namespace without labels, with the name of the folder in `clusters/`.
  void add_plain_space(const Object& space) {
    if (is_alive(space.name) || is_in_use_as_space(space.name) || !was_here(space.name)) return;
    ++findings_.objects;
    Leftover leftover = leftover_of(space, What::Namespace);
    leftover.cluster = space.name;
    leftover.is_named_like_folder = true;
    findings_.leftovers.push_back(std::move(leftover));
  }

  // Argo CD needs the registration of a cluster until the last Application that installs something there is gone, also
  // if another tool than capwright made it.
  bool is_alive(std::string_view cluster) const {
    return contents_.has_cluster(cluster) || live_clusters_.contains(cluster);
  }

  // Kubernetes deletes everything in a namespace at once, also the Clusters of other repositories.
  bool is_in_use_as_space(std::string_view name) const {
    return contents_.uses_space(name) || live_spaces_.contains(name);
  }

  // Whether an object that has machines, or may make some, refers to a template. A MachineSet that was scaled to
  // nothing stays for a while, and makes none.
  bool is_in_use(const Object& object) const {
    return std::any_of(users_.begin(), users_.end(), [&](const Object* user) {
      const bool is_done = is_machine_set(*user) && number_at(user->value, "spec.replicas") == 0 &&
                           number_at(user->value, "status.replicas").value_or(0) == 0;
      return !is_done && user->space == object.space && plan::mentions(user->value, object.name);
    });
  }

  static Leftover leftover_of(const Object& object, What what) {
    return {what,
            std::string(object.group),
            std::string(object.version),
            std::string(object.kind),
            std::string(object.space),
            std::string(object.name),
            std::string(cluster_of(object)),
            std::nullopt,
            false,
            false,
            false};
  }

  const Side& live_;
  TreeContents contents_;
  const ClustersOfHistory& history_;
  std::optional<std::set<std::string, std::less<>>> earlier_;  // of history_
  bool untracked_;
  std::set<std::string_view> appliers_;  // of objects that the tree has
  std::vector<const Object*> clusters_, candidates_, users_, plain_spaces_;
  std::set<std::string_view> live_clusters_;                      // names
  std::set<std::string_view> live_spaces_;                        // namespaces of live Clusters
  std::set<std::pair<std::string_view, std::string_view>> gone_;  // clusters without a file, by namespace and name
  Findings findings_;
};

}  // namespace

std::string_view what_name(What what) {
  switch (what) {
    case What::Cluster: return "cluster";
    case What::HealthCheck: return "health-check";
    case What::Pool: return "pool";
    case What::ControlPlane: return "control-plane";
    case What::Object: return "object";
    case What::Template: return "template";
    case What::Credential: return "credential";
    case What::Namespace: return "namespace";
  }
  return "";
}

const std::string& block_space(const Leftover& leftover) {
  return leftover.what == What::Namespace ? leftover.name : leftover.space;
}

std::string_view note_of(const Leftover& leftover) {
  if (leftover.has_tombstone) return "00-removed.yaml lists it: Argo CD deletes it at the next sync";
  if (leftover.is_registration) return "first delete the Applications of its add-ons: Argo CD removes them by it";
  if (leftover.is_named_like_folder)
    return "it has the name of a removed cluster's folder: delete it last, and only if nothing else is in it";
  if (leftover.what == What::Namespace) return "delete it last: Kubernetes deletes everything in it, too";
  return leftover.what == What::Cluster ? plan::kCloudFirst : std::string_view();
}

std::string delete_command(const Leftover& leftover) {
  return kubectl_delete(leftover.group, leftover.kind, leftover.name, leftover.space);
}

Findings find_leftovers(const Side& live, const Tree& tree, const ClustersOfHistory& history, bool untracked) {
  return Finder(live, tree, history, untracked).find();
}

std::string kubectl_command(const Tree& tree) {
  std::set<std::string> resources{"cluster.cluster.x-k8s.io",
                                  "machinedeployment.cluster.x-k8s.io",
                                  "machinehealthcheck.cluster.x-k8s.io",
                                  "machineset.cluster.x-k8s.io",
                                  "namespace",
                                  "secret"};
  for (const auto& side : tree) {
    for (const Object& object : side->objects()) {
      if (!object.kind.empty() && what_of(object))
        resources.insert(shell_word(kubectl_resource(object.group, object.kind)));
    }
  }
  return fmt::format("kubectl get {} -A -o json", fmt::join(resources, ","));
}

}  // namespace capwright::leftovers
