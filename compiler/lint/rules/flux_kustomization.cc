// CAP825: Flux's Kustomizations that apply the tree in another way than docs/addons.md describes.
#include <optional>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::flux_kustomization {
namespace {

// The part of a path after the repository's root; empty: the root, or a path that isn't evaluated.
std::string_view below_root(std::string_view path) {
  while (path.starts_with("./") || path.starts_with('/')) path.remove_prefix(path.starts_with('/') ? 1 : 2);
  while (path.ends_with('/')) path.remove_suffix(1);
  const bool is_plain = path.find("..") == std::string_view::npos && path.find('$') == std::string_view::npos;
  return is_plain ? path : std::string_view();
}

// The cluster whose folder the path names: empty for `clusters/` itself, null for any other path.
std::optional<std::string_view> cluster_at(std::string_view path, const std::string& tree_in_git) {
  constexpr std::string_view kFolder = "clusters";
  if (!path.starts_with(tree_in_git)) return std::nullopt;
  path.remove_prefix(tree_in_git.size());
  if (path == kFolder) return std::string_view();
  const std::size_t slash = path.find('/');
  if (path.substr(0, slash) != kFolder || path.find('/', slash + 1) != std::string_view::npos) return std::nullopt;
  return path.substr(slash + 1);
}

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
  const std::optional<std::string_view> name = cluster_at(below_root(path.text()), context.tree_in_git);
  if (!name) return;
  const RepositoryClusters* clusters = context.clusters;
  if (clusters != nullptr && clusters->values_files().empty()) return;
  // A folder that no values file makes may hold Flux's own objects.
  if (name->empty() || clusters == nullptr || clusters->has(*name, "")) return check_settings(object, report);
  if (!clusters->folders().contains(std::string(*name))) report_missing(path, *name, *clusters, report);
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
repository.

| setting | finding |
|---|---|
| `path` of a folder that doesn't exist, and that no values file makes | Flux reports an error, and applies nothing |
| no `deletionPolicy: Orphan`, with `prune: true` | Flux deletes all objects with the Kustomization |
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
};

}  // namespace capwright::lint::rules::flux_kustomization
