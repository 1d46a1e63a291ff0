// CAP825: Flux's Kustomizations that apply the tree in another way than docs/addons.md describes.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/tree_path.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::flux_kustomization {
namespace {

// Whether the source may be the repository that is linted, as far as its object is among the manifests.
bool may_be_own(const Object& object) {
  const Node source = object["spec.sourceRef"];
  if (source["kind"].text() != "GitRepository") return false;
  const std::string_view space = source["namespace"] ? source["namespace"].text() : object.space();
  const Cluster& cluster = object.cluster();
  const Object* repository = cluster.find("source.toolkit.fluxcd.io", "GitRepository", space, source["name"].text());
  const RepositoryClusters* clusters = cluster.context().clusters;
  return repository == nullptr || clusters == nullptr || clusters->may_be_at((*repository)["spec.url"].text());
}

void report_missing(const Node& path, std::string_view name, const RepositoryClusters& clusters, Report& report) {
  std::vector<std::string_view> names;
  for (const std::string& file : clusters.values_files()) names.push_back(cluster_stem(file));
  Finding& finding = report.at(path, "no folder is at `{}`, and no values file makes it", path.text());
  finding.note("Flux applies nothing, and reports that the path isn't found");
  const std::string_view best = nearest(name, names);
  if (best.empty())
    finding.help("remove the Kustomization if the cluster was deleted; the clusters are {}", list_names(names));
  else finding.help("did you mean `{}{}`?", path.text().substr(0, path.text().rfind(name)), best);
}

void check_deletion(const Object& object, Report& report) {
  const Node prune = object["spec.prune"], policy = object["spec.deletionPolicy"];
  const std::string_view kind = policy.text();
  const bool mirrors = kind.empty() || kind == "MirrorPrune";
  const bool deletes = kind == "Delete" || kind == "WaitForTermination" || (mirrors && prune.is_true());
  if (!deletes) return;
  report.at(policy ? policy : prune, "deleting this Kustomization deletes the machines' credentials with the cluster")
      .note("Flux then deletes all objects at once, and Cluster API can't delete machines without their credentials")
      .help("{} `deletionPolicy: Orphan`", policy ? "set" : "add");
}

// `plan` depends on the setting in capwright.yaml.
void check_delivery(const Object& object, Report& report) {
  const Delivery delivery = object.cluster().context().delivery;
  const Node prune = object["spec.prune"];
  const bool prunes = prune.is_true();
  if (!prune)
    report.at(prune, "`prune` is missing, so the API server rejects this Kustomization").help("add `prune: true`");
  if (!prune || object.cluster().context().clusters == nullptr) return;
  const Delivery wanted = prunes ? Delivery::Flux : Delivery::Kubectl;
  if (delivery == wanted) return;
  Finding& finding = report.at(prune, "Flux {} what leaves the tree, but `delivery` is `{}`",
                               prunes ? "deletes" : "keeps", delivery_name(delivery));
  finding.note("`capwright plan` shows what the tool of `delivery` does");
  if (prunes || delivery != Delivery::Flux)
    finding.help("set `delivery: {}` in {}", delivery_name(wanted), kConfigName);
  else finding.help("set `prune: true`, or `delivery: {}` in {}", delivery_name(wanted), kConfigName);
}

void check_settings(const Object& object, Report& report) {
  check_deletion(object, report);
  check_delivery(object, report);
  const Node space = object["spec.targetNamespace"], wait = object["spec.wait"];
  if (space)
    report.at(space, "`targetNamespace` moves all objects of the tree to the namespace `{}`", space.text())
        .note("also those that are rendered for another namespace")
        .help("remove it; the key `namespace` of the values says where the objects of a cluster are");
  if (wait.is_true())
    report.at(wait, "with `wait: true`, the Kustomization fails while a cluster or pool is created")
        .note("the add-ons are ready only after the first machines")
        .help("set `wait: false`")
        .as(Severity::Note);
}

void check(const Object& object, Report& report) {
  const Cluster& cluster = object.cluster();
  const Context& context = cluster.context();
  const Node path = object["spec.path"];
  if (object.group() != "kustomize.toolkit.fluxcd.io" || !may_be_own(object)) return;
  const std::optional<TreePath> named = tree_path(path.text(), context.tree_in_git);
  if (!named || !named->rest.empty()) return;
  const RepositoryClusters* clusters = context.clusters;
  if (clusters != nullptr && clusters->values_files().empty()) return;
  const std::string_view name = named->cluster;
  // A folder that no values file makes may hold Flux's own objects.
  if (name.empty() || clusters == nullptr || clusters->has(name, "")) return check_settings(object, report);
  if (!clusters->folders().contains(std::string(name))) report_missing(path, name, *clusters, report);
}

// A Kustomization that applies a part of the tree into the management cluster.
struct Applier {
  const Object* object = nullptr;
  TreePath applied;

  Node path() const { return (*object)["spec.path"]; }
  // Begins with that of every Kustomization for a folder above: Flux applies a folder with all folders below it.
  std::string key() const {
    std::string text;
    for (const std::string_view part : {applied.cluster, applied.rest}) {
      if (!part.empty()) text.append(part) += '/';
    }
    return text;
  }
};

std::vector<Applier> appliers_in(const Cluster& cluster) {
  std::vector<Applier> found;
  std::set<std::pair<std::string_view, std::string_view>> names;  // a file may be linted with a copy of it
  for (const Object* object : cluster.of_kind("Kustomization")) {
    if (object->group() != "kustomize.toolkit.fluxcd.io" || !may_be_own(*object)) continue;
    const std::optional<TreePath> named = tree_path((*object)["spec.path"].text(), cluster.context().tree_in_git);
    const bool is_here = named && !(*object)["spec.kubeConfig"];
    if (is_here && names.emplace(object->space(), object->name()).second) found.push_back({object, *named});
  }
  return found;
}

using ByKey = std::map<std::string, const Applier*, std::less<>>;

// One of the known Kustomizations, for a folder above, below or the same; null: there is none.
const Applier* overlapping(std::string_view key, const ByKey& known) {
  for (std::size_t end = 0;; end = key.find('/', end) + 1) {
    const auto above = known.find(key.substr(0, end));
    if (above != known.end()) return above->second;
    if (end == key.size()) break;
  }
  const auto below = known.lower_bound(key);
  return below != known.end() && below->first.starts_with(key) ? below->second : nullptr;
}

void check_overlap(const std::vector<Applier>& appliers, Report& report) {
  ByKey known;
  for (const Applier& each : appliers) {
    std::string key = each.key();
    if (const Applier* const other = overlapping(key, known)) {
      report
          .at(each.path(), "the Kustomizations `{}` and `{}` apply the same files", other->object->name(),
              each.object->name())
          .also(other->path(), "the other one")
          .note("if one of them is deleted or changed, it prunes objects that the other one still applies")
          .help("let each folder in `clusters/` be applied by one Kustomization");
    }
    known.emplace(std::move(key), &each);
  }
}

// Kustomizations for single clusters, of which some have none.
void check_gaps(const std::vector<Applier>& appliers, const RepositoryClusters& clusters, Report& report) {
  std::map<std::string_view, const Applier*> whole, parts;  // by cluster
  for (const Applier& each : appliers) (each.applied.rest.empty() ? whole : parts).emplace(each.applied.cluster, &each);
  std::erase_if(whole, [&](const auto& each) { return !each.first.empty() && !clusters.has(each.first, ""); });
  if (whole.empty() || whole.contains("")) return;
  const std::set<std::string> folders = clusters.folders();
  std::vector<std::string_view> missing;
  for (const std::string& folder : folders) {
    if (whole.contains(folder) || !clusters.has(folder, "")) continue;
    const auto part = parts.find(folder);
    if (part == parts.end()) {
      missing.push_back(folder);
      continue;
    }
    report.at(part->second->path(), "no Kustomization applies `clusters/{}`", folder)
        .note("`{}` applies only a part of it", part->second->object->name())
        .help("set the path of the cluster's folder: Flux applies the folders below it, too");
  }
  if (missing.empty()) return;
  report
      .at(whole.begin()->second->path(), "Kustomizations apply clusters one by one, but none applies {}",
          list_names(missing))
      .note("commits don't change the cluster")
      .help("add a Kustomization for each cluster; if other files have them, lint all: `capwright lint .`");
}

void check_all(const Cluster& cluster, Report& report) {
  const RepositoryClusters* clusters = cluster.context().clusters;
  if (clusters == nullptr || clusters->values_files().empty()) return;
  const std::vector<Applier> appliers = appliers_in(cluster);
  check_overlap(appliers, report);
  if (!cluster.context().is_part) check_gaps(appliers, *clusters, report);
}

}  // namespace

CW_LINT_RULE(flux_kustomization){
    .code = "CAP825",
    .name = "flux-kustomization",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Kustomization",
    .docs = R"md(
## What it does

Reports Kustomizations of Flux for `clusters/`, or for the folder of a cluster in it, whose path doesn't exist, or whose settings differ from
[those that capwright assumes](addons.md#from-commit-to-machines-with-flux). `capwright lint .` checks them, wherever they are in the
repository; `capwright lint` and `capwright ci` don't read them.

| setting | finding |
|---|---|
| `path` of a folder that doesn't exist, and that no values file makes | Flux reports an error, and applies nothing |
| `path` of a folder that another Kustomization applies, too | each of them prunes what the other one still applies |
| other clusters have a Kustomization, and a cluster has none, or only one for a part of its folder | its changes aren't applied |
| no `deletionPolicy: Orphan`, with `prune: true` | Flux deletes all objects with the Kustomization |
| `prune` that is missing | the API server rejects the Kustomization |
| `prune` that doesn't match `delivery` in `capwright.yaml` | `plan` describes another tool |
| `targetNamespace` | all objects move to one namespace |
| `wait: true` | note: each new cluster is an error for a while |

## Why is this bad?

If the Kustomization is deleted, Flux deletes the Cluster and the credentials of its machines at once. Machines, load balancers
and volumes then stay in the cloud.

Paths are compared if the `sourceRef` is a GitRepository. If that object is among the manifests, and `argocd.repo_url` of
`capwright.yaml` names another repository, nothing is reported.

## Example

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: prod-a, namespace: flux-system}
spec:
  sourceRef: {kind: GitRepository, name: flux-system}
  path: ./clusters/prod-a
  interval: 10m
  prune: true   # warning: [flux-kustomization] "deleting this Kustomization"
  targetNamespace: prod   # warning: [flux-kustomization] "namespace `prod`"
  wait: true   # note: [flux-kustomization] "fails while"
```

## Use instead

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: prod-a, namespace: flux-system}
spec:
  sourceRef: {kind: GitRepository, name: flux-system}
  path: ./clusters/prod-a
  interval: 10m
  prune: true
  deletionPolicy: Orphan
  wait: false
```
)md",
    .check_object = check,
    .check_cluster = check_all,
};

}  // namespace capwright::lint::rules::flux_kustomization
