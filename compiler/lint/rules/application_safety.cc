// CAP812: what makes an Application lose things, or give up too early.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/cluster_applications.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::application_safety {
namespace {

constexpr std::string_view kFinalizer = "resources-finalizer.argocd.argoproj.io";
constexpr std::string_view kPruneLast = "PruneLast=true", kBackground = "PrunePropagationPolicy=background";

template <class Fits>
bool has_finalizer(const Object& application, const Fits& fits) {
  for (const Node each : application["metadata.finalizers"].items()) {
    if (fits(each.text())) return true;
  }
  return false;
}

bool is_finalizer(std::string_view text) { return text.starts_with(kFinalizer); }

// CAP817 reports the spelling of one that is misspelt.
bool is_meant_as_finalizer(std::string_view text) {
  const std::optional<std::string_view> meant = meant_finalizer(text);
  return is_finalizer(text) || (meant && (meant->empty() || is_finalizer(*meant)));
}

// An Application that installs something into a workload cluster, in the catalogue or not.
bool is_for_workload(const Object& application) {
  const Node destination = application["spec.destination"];
  if (!(destination["name"] || destination["server"]) || is_in_cluster(application)) return false;
  const std::vector<ChartSource>& sources = sources_of(application);
  return std::none_of(sources.begin(), sources.end(), reads_cluster);
}

void check_addon(const Object& application, std::string_view what, Report& report) {
  if (!has_finalizer(application, is_meant_as_finalizer)) {
    report.at(application["metadata.finalizers"], "what `{}` installed stays when the Application is deleted", what)
        .help("add the finalizer `{}`", kFinalizer);
  }
  if (is_in_cluster(application)) return;
  const Node policy = application["spec.syncPolicy"], automated = policy["automated"];
  const bool is_automated = automated && automated["enabled"].boolean().value_or(true);
  if (is_automated && !policy["retry"]) {
    report.at(policy["retry"], "a failed sync isn't retried")
        .note("until the workload cluster is registered in Argo CD, every sync fails")
        .help("add a `retry` with `backoff`");
  }
  if (!is_automated && application.annotation(kWaveAnnotation)) {
    report.at(automated, "a sync wave without an automated sync")
        .note("later waves wait until this is synced by hand: a wave starts when the previous ones are healthy")
        .help("add `automated`, or remove the annotation `{}`", kWaveAnnotation);
  }
}

void check_large_charts(const Object& application, Report& report) {
  const std::vector<std::string_view>& large = words_of(fact(argocd_facts(), "large_charts"));
  for (const ChartSource& source : sources_of(application)) {
    if (std::find(large.begin(), large.end(), source.chart) == large.end()) continue;
    if (has_sync_option(application, "ServerSideApply=true") || has_sync_option(application, "Replace=true")) continue;
    report
        .at(application["spec.syncPolicy.syncOptions"], "`{}` has objects that are too large for client-side apply",
            source.chart)
        .note("it stores each object in an annotation of at most 262144 bytes")
        .help("add `ServerSideApply=true`");
  }
}

// Whether Applications have the option: by the template, or by `templatePatch` of an ApplicationSet, which may be for
// some of them only.
bool may_have_option(const Object& object, std::string_view option) {
  if (object["spec.templatePatch"].text().find(option) != std::string_view::npos) return true;
  for (const Node each : application_in(object)["spec.syncPolicy.syncOptions"].items()) {
    if (each.text() == option) return true;
  }
  return false;
}

void advise_option(Finding& finding, std::string_view option, const Object& object) {
  const bool is_replaced = object["spec.templatePatch"].text().find("syncOptions") != std::string_view::npos;
  finding.help("add the sync option `{}`{}", option, is_replaced ? " to those in `spec.templatePatch`" : "");
}

// Whether the sources may be in this repository, and it has clusters: in others, a folder `clusters/` has other
// content.
bool may_be_own(const Object& object) {
  const RepositoryClusters* clusters = object.cluster().context().clusters;
  if (clusters == nullptr) return true;
  const std::vector<ChartSource>& sources = sources_of(object);
  return !clusters->values_files().empty() && std::any_of(sources.begin(), sources.end(), [&](const ChartSource& each) {
    return clusters->may_be_at(each.repository);
  });
}

// `plan` says what Argo CD deletes when it syncs and prunes without being asked.
void check_pruned(const Object& object, const Node& automated, Report& report) {
  const Context& context = object.cluster().context();
  const std::string_view patch = object["spec.templatePatch"].text();
  const bool may_be_patched = patch.find("prune:") != std::string_view::npos;
  if (context.clusters == nullptr || context.delivery != Delivery::ArgoCd || may_be_patched || !may_be_own(object))
    return;
  const bool is_manual = !automated && patch.find("automated:") == std::string_view::npos;
  if (is_manual || automated["enabled"].boolean() == false) {
    report.at(automated, "a commit changes no cluster until its Application is synced by hand")
        .note("`capwright plan` shows what an automated sync with `prune: true` does")
        .help("set `automated: {{prune: true}}`, or prune in each sync: `argocd app sync NAME --prune`")
        .as(Severity::Note);
    return;
  }
  const Node prune = automated["prune"];
  report.at(prune, "Argo CD keeps what leaves the tree, and pools that keep running are billed")
      .note("`capwright plan` shows them as deleted")
      .help("set `prune: true`; until then, `capwright leftovers` lists what still runs");
}

// Whether a Go template has a text that no `if`, `range` or `with` around it leaves out.
bool always_has(std::string_view patch, std::string_view wanted) {
  const std::size_t place = patch.find(wanted);
  int depth = 0;
  for (std::size_t at = patch.find("{{"); at < place && place != std::string_view::npos;
       at = patch.find("{{", at + 2)) {
    std::string_view action = patch.substr(at + 2);
    action.remove_prefix(std::min(action.find_first_not_of("- "), action.size()));
    const bool opens = action.starts_with("if ") || action.starts_with("range ") || action.starts_with("with ");
    if (opens) ++depth;
    else if (action.starts_with("end")) --depth;
  }
  return place != std::string_view::npos && depth == 0;
}

// `recurse` is for the folder of add-ons only.
void check_patched_recursion(const Object& set, const Node& patch, Report& report) {
  constexpr std::string_view kWanted = "recurse: {{ eq .part \"addons\" }}";
  const std::string_view text = patch.text();
  if (!has_parts(set)) return;
  if (always_has(text, "recurse: false") || always_has(text, "recurse: {{ eq .part \"cluster\" }}"))
    report.at(patch, "`templatePatch` doesn't set `recurse` for the add-ons")
        .note("Argo CD doesn't read the Applications in subfolders of `addons`, and with `prune`, deletes them")
        .help("set `{}`", kWanted);
  if (always_has(text, "recurse: true"))
    report.at(patch, "`templatePatch` sets `recurse` for the clusters, too")
        .note("the Application of a cluster then applies its add-ons, and the sync never ends")
        .help("set `{}`", kWanted);
}

// What `templatePatch` of an ApplicationSet sets for all Applications.
void check_patch(const Object& set, Report& report) {
  const Context& context = set.cluster().context();
  const Node patch = set["spec.templatePatch"];
  check_patched_recursion(set, patch, report);
  if (context.clusters == nullptr || context.delivery != Delivery::ArgoCd || !may_be_own(set)) return;
  for (const std::string_view setting : {"prune: false", "enabled: false"}) {
    if (!always_has(patch.text(), setting)) continue;
    report.at(patch, "`templatePatch` sets `{}`: Argo CD keeps what leaves the tree", setting)
        .note("pools that keep running are billed, and `capwright plan` shows them as deleted")
        .help("remove `{}`", setting);
  }
}

void check_prune(const Object& object, Report& report) {
  const Node automated = application_in(object)["spec.syncPolicy.automated"], prune = automated["prune"];
  if (!prune.is_true() || automated["enabled"].boolean() == false) return check_pruned(object, automated, report);
  if (!may_have_option(object, kPruneLast)) {
    Finding& finding = report.at(prune, "a machine template may be pruned while it is still in use");
    advise_option(finding, kPruneLast, object);
  }
  if (!may_have_option(object, kBackground)) {
    Finding& finding = report.at(prune, "a confirmed deletion of the cluster never finishes");
    finding.note("with the default, foreground, the infrastructure is deleted before its machines");
    advise_option(finding, kBackground, object);
  }
}

// The guard of Argo CD against a folder that a mistake emptied.
void check_empty(const Object& object, Report& report) {
  const Node allowed = application_in(object)["spec.syncPolicy.automated.allowEmpty"];
  if (!allowed.is_true()) return;
  report.at(allowed, "if the folder of the cluster is empty, Argo CD deletes its objects")
      .note("without `allowEmpty`, it stops with an error")
      .help("remove it; only Applications of add-ons need it");
}

// The rendered Applications are in the folder `addons` of the cluster.
void check_addons_inside(const Object& application, Report& report) {
  for (const ChartSource& source : sources_of(application)) {
    const Node recurse = source.node["directory.recurse"];
    if (!reads_cluster(source) || !recurse.is_true()) continue;
    report.at(recurse, "with `recurse`, this Application applies the add-ons, too")
        .note(
            "add-ons wait for machines, and machines for the network, which is an add-on: in one Application, the sync "
            "never ends")
        .help("set `recurse: false`, and create a second Application for the folder `addons`");
  }
}

void check_cluster_application(const Object& application, Report& report) {
  const std::vector<ChartSource>& sources = sources_of(application);
  if (std::none_of(sources.begin(), sources.end(), reads_cluster)) return;
  if (has_finalizer(application, is_finalizer)) {
    report.at(application["metadata.finalizers"], "deleting this Application deletes the cluster's machines")
        .help("remove `{}`, and delete clusters explicitly", kFinalizer);
  }
  check_prune(application, report);
  check_empty(application, report);
  check_addons_inside(application, report);
}

// Argo CD: RenderTemplateParams adds the finalizer to Applications without finalizers, unless resources are preserved.
void check_set_deletion(const Object& set, Report& report) {
  const Node policy = set["spec.syncPolicy"], preserves = policy["preserveResourcesOnDeletion"];
  const Node finalizers = set["spec.template.metadata.finalizers"];
  const bool is_set_by_patch = set["spec.templatePatch"].text().find("finalizers") != std::string_view::npos;
  const std::string_view applied = policy["applicationsSync"].text();
  if (always_has(set["spec.templatePatch"].text(), kFinalizer)) {
    report.at(set["spec.templatePatch"], "if a cluster leaves this ApplicationSet, Argo CD deletes its machines")
        .note("`templatePatch` gives its Applications `{}`", kFinalizer)
        .help(
            "remove it from `spec.templatePatch`, or set it for the add-ons only: `{{{{ if eq .part \"addons\" }}}}`");
  }
  if (is_set_by_patch || applied == "create-only" || applied == "create-update") return;
  Node finalizer;
  for (const Node each : finalizers.items()) {
    if (is_finalizer(each.text())) finalizer = each;
  }
  if (!finalizer && (preserves.is_true() || finalizers.size() != 0)) return;
  Finding& finding = report.at(finalizer ? finalizer : preserves,
                               "if a cluster leaves this ApplicationSet, Argo CD deletes its machines");
  finding.note("so does deleting the ApplicationSet");
  if (finalizer) finding.note("its Applications have `{}`", kFinalizer);
  else finding.note("without `preserveResourcesOnDeletion`, Argo CD adds `{}` to its Applications", kFinalizer);
  if (preserves.is_true()) finding.help("remove `{}` from `spec.template.metadata.finalizers`", kFinalizer);
  else if (!finalizer)
    finding.help("set `preserveResourcesOnDeletion: true` in `spec.syncPolicy` of the ApplicationSet");
  else
    finding.help("remove `{}`, and set `preserveResourcesOnDeletion: true` in `spec.syncPolicy` of the ApplicationSet",
                 kFinalizer);
}

// Whether a path ends in the folder of the add-ons, for some Applications at least.
bool is_addons_folder(std::string_view path) {
  constexpr std::string_view kFolder = "/addons";
  const std::size_t at = path.rfind(kFolder);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = path.substr(at + kFolder.size());
  return rest.empty() || rest == "/" || rest.starts_with("{{");
}

// The Applications of add-ons are in subfolders. `templatePatch` may set `recurse` for the folder `addons` only.
void check_recursion(const Object& object, Report& report) {
  const bool is_set = !is_application(object);
  for (const ChartSource& source : sources_of(object)) {
    if (!is_addons_folder(source.path)) continue;
    const Node recurse = source.node["directory.recurse"];
    const bool is_of_cluster = is_below_clusters(source.path) || (is_set && is_generated(source.path));
    const bool is_patched = object["spec.templatePatch"].text().find("recurse") != std::string_view::npos;
    if (!is_of_cluster || is_patched || recurse.is_true() || source.node["plugin"] || !may_be_own(object)) continue;
    Finding& finding =
        report.at(recurse, "Argo CD doesn't read the Applications in subfolders of `addons` without `recurse`");
    finding.note("with `prune`, it deletes those that it applied before");
    if (is_set)
      finding.help("set `recurse: {{{{ eq .part \"addons\" }}}}` in `spec.source.directory` of `spec.templatePatch`");
    else finding.help("add `directory: {{recurse: true}}` to the source");
  }
}

void check_set(const Object& set, Report& report) {
  if (!generates_clusters(set) || !may_be_own(set)) return;
  check_set_deletion(set, report);
  check_patch(set, report);
  check_prune(set, report);
  check_empty(set, report);
  check_recursion(set, report);
}

// Objects whose deletion takes machines along. Only trees that Argo CD reads, which waves tell, are looked at.
void check_guard(const Object& object, Report& report) {
  const bool guarded_kind = object.kind() == "Cluster" || object.kind().ends_with("ControlPlane");
  if (!guarded_kind || !object.group().ends_with("cluster.x-k8s.io") || !object.annotation(kWaveAnnotation)) return;
  const std::string_view options = object.annotation(kOptionsAnnotation).text();
  if (options.find("Prune=false") != std::string_view::npos || options.find("Prune=confirm") != std::string_view::npos)
    return;
  report.at(object.annotation(kOptionsAnnotation), "if this file disappears from Git, its machines are deleted")
      .note("Argo CD prunes what left Git, and Cluster API deletes the machines of what is pruned")
      .help("add the annotation `{}: Prune=confirm,Delete=confirm`", kOptionsAnnotation);
}

void check(const Object& object, Report& report) {
  if (object.kind() == "ApplicationSet") return check_set(object, report);
  if (!is_application(object)) return check_guard(object, report);
  const values::Addon* addon = addon_of(object);
  if (addon || is_for_workload(object)) check_addon(object, addon ? addon->id : object.name(), report);
  check_large_charts(object, report);
  check_cluster_application(object, report);
  check_recursion(object, report);
}

}  // namespace

CW_LINT_RULE(application_safety){
    .code = "CAP812",
    .name = "application-safety",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an Application or object without the settings that limit the damage of a mistake.

## Why is this bad?

* An Application for a workload cluster without `resources-finalizer.argocd.argoproj.io` leaves its objects in the cluster
  when it is deleted.
* An automated sync without `retry` fails once, before the workload cluster is registered, and isn't repeated.
* A sync wave without an automated sync blocks later waves if Argo CD waits for healthy Applications.
* Charts with large CRDs need `ServerSideApply=true`: otherwise an annotation gets too long and the sync fails.
* An Application of a cluster's folder with that finalizer deletes all machines when the Application is deleted. Without
  `PruneLast=true`, it prunes templates that are still in use. Without `PrunePropagationPolicy=background`, a Cluster is
  never deleted: Kubernetes deletes the infrastructure first, which the deletion of machines needs.
* Without `preserveResourcesOnDeletion: true`, Argo CD adds that finalizer to the Applications of an ApplicationSet. A folder that
  leaves `clusters/` in a merge then takes its machines along. The rule reports nothing with `applicationsSync: create-update` or
  `create-only`.
* Without `directory.recurse: true`, an Application of `clusters/<name>/addons` doesn't read the Applications in its subfolders, and
  prunes them.
* Without `prune: true`, Argo CD keeps the pools and add-ons that leave the tree, but [`plan`](plan.md) shows them as deleted. Without
  `automated`, a note says so.
* A `Cluster` or control plane without `Prune=confirm` or `Prune=false` is deleted, with its machines, when its file is lost
  in a merge.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:   # warning: [application-safety] "what `kube-prometheus-stack` installed stays when the"
  name: a-monitoring
spec:
  source: {chart: kube-prometheus-stack}
  syncPolicy:   # warning: [application-safety] "a failed sync isn't retried"
    automated: {prune: true}
    syncOptions: [CreateNamespace=true]   # warning: [application-safety] "`kube-prometheus-stack` has objects that are too large"
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: a-kyverno
  finalizers: [resources-finalizer.argocd.argoproj.io]
  annotations: {argocd.argoproj.io/sync-wave: "13"}
spec:
  source: {chart: kyverno}
  destination: {name: a, namespace: kyverno}
  syncPolicy:
    automated: {prune: true}
    retry: {limit: 10}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: by-hand, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  source: {chart: kyverno}
  destination: {name: a, namespace: kyverno}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::application_safety
