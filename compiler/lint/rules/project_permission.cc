// CAP822: Applications that their AppProject doesn't permit.
#include <algorithm>
#include <set>
#include <span>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/source_files.h"
#include "lint/model/repository_clusters.h"
#include "text/glob.h"

namespace capwright::lint::rules::project_permission {
namespace {

constexpr std::string_view kOwnServer = "https://kubernetes.default.svc", kOwnName = "in-cluster";

// What a pattern says about a text. Other special characters than `*` and `?` aren't evaluated.
enum class Match : std::uint8_t { No, Yes, Unknown };

// `separator`: the one that `*` doesn't match.
Match match(std::string_view pattern, std::string_view text, char separator = 0) {
  if (pattern == "*") return Match::Yes;
  if (is_generated(pattern) || is_generated(text)) return Match::Unknown;
  if (pattern.find_first_of("[{\\") != std::string_view::npos) return Match::Unknown;
  return text_glob_matches(pattern, text, separator) ? Match::Yes : Match::No;
}

bool is_denial(std::string_view pattern) { return pattern.starts_with('!'); }

// Of several patterns: a denial that matches decides, otherwise any permission. A list that only denies permits what it
// doesn't deny, as Argo CD evaluates it.
struct Verdict {
  bool is_permitted = false, is_unknown = false;
  Node denial;  // that matches
};

void add(Verdict& verdict, Match matched, bool denies, const Node& place) {
  if (matched == Match::Unknown) verdict.is_unknown = true;
  else if ((matched == Match::Yes) != denies) verdict.is_permitted = true;
  else if (denies) verdict.denial = place;
}

Verdict of_source(const Object& project, std::string_view url) {
  Verdict verdict;
  const std::string normal = normal_git_url(url);
  for (const Node item : project["spec.sourceRepos"].items()) {
    const bool denies = is_denial(item.text());
    const std::string pattern = normal_git_url(item.text().substr(denies ? 1 : 0));
    add(verdict, match(pattern, normal, '/'), denies, item);
  }
  return verdict;
}

// A pattern of a destination, which may deny.
Match match_part(std::string_view pattern, std::string_view text) {
  const bool denies = is_denial(pattern);
  if (denies) pattern.remove_prefix(1);
  Match found = match(pattern, text);
  if (denies && found != Match::Unknown) found = found == Match::Yes ? Match::No : Match::Yes;
  return found;
}

// Argo CD knows name and server of a cluster; the one that only it knows is empty here.
Match match_cluster(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return Match::No;
  return text.empty() && pattern != "*" ? Match::Unknown : match_part(pattern, text);
}

// Argo CD v3: AppProject.isDestinationMatched. A denied namespace counts only with the server of its entry.
Verdict of_destination(const Object& project, const Node& destination, std::string_view space) {
  std::string_view name = destination["name"].text(), server = destination["server"].text();
  if (name.empty() && server == kOwnServer) name = kOwnName;
  if (server.empty() && name == kOwnName) server = kOwnServer;
  Verdict verdict;
  for (const Node item : project["spec.destinations"].items()) {
    const std::string_view by_name = item["name"].text(), by_server = item["server"].text();
    const std::string_view by_space = item["namespace"].text();
    const Match of_name = match_cluster(by_name, name), of_server = match_cluster(by_server, server);
    const Match of_space = match_part(by_space, space);
    const bool is_matched = (of_name == Match::Yes || of_server == Match::Yes) && of_space == Match::Yes;
    const bool is_known = of_name != Match::Unknown && of_server != Match::Unknown && of_space != Match::Unknown;
    const bool denies_cluster = (of_name == Match::No && is_denial(by_name)) ||
                                (of_server == Match::No && is_denial(by_server) && of_space == Match::Yes);
    const bool denies_space = of_space == Match::No && is_denial(by_space) && of_server == Match::Yes;
    if (is_matched) verdict.is_permitted = true;
    else if (!is_known) verdict.is_unknown = true;
    else if (denies_cluster || denies_space) verdict.denial = item;
  }
  return verdict;
}

bool is_refused(const Verdict& verdict) {
  return !verdict.is_unknown && (verdict.denial.exists() || !verdict.is_permitted);
}

bool lists(const Node& list, std::string_view group, std::string_view kind) {
  for (const Node item : list.items()) {
    if (match(item["group"].text(), group) != Match::No && match(item["kind"].text(), kind) != Match::No) return true;
  }
  return false;
}

// Argo CD permits all kinds with a namespace without a list, and none without a namespace.
bool permits_kind(const Object& project, const Object& object, bool namespaced) {
  const Node allowed =
      namespaced ? project["spec.namespaceResourceWhitelist"] : project["spec.clusterResourceWhitelist"];
  const Node denied =
      namespaced ? project["spec.namespaceResourceBlacklist"] : project["spec.clusterResourceBlacklist"];
  const bool is_allowed = (namespaced && !allowed) || lists(allowed, object.group(), object.kind());
  return is_allowed && !lists(denied, object.group(), object.kind());
}

// A project in the folder `argocd/` is named by its file: its lines aren't part of the cluster that the finding is
// about.
bool is_shown_with(const Node& place, const Object& project) {
  return place.document() != nullptr && place.document()->cluster == &project.cluster();
}

Finding& report_refusal(const Node& place, const Object& project, const Verdict& verdict, Report& report,
                        const std::string& what) {
  Finding& finding = report.at(place, "the AppProject `{}` doesn't permit the {}", project.name(), what);
  if (!is_shown_with(place, project))
    finding.note("the project is in `{}`{}", project.file().path,
                 verdict.denial ? ", and one of its entries with `!` denies this" : "");
  else if (verdict.denial) finding.also(verdict.denial, "this denies it");
  else finding.also(project, "the project");
  return finding.note("Argo CD rejects the Application");
}

// The part of a tree that a source applies.
struct Folder {
  std::string path;  // in the tree, with a slash at the end
  bool is_deep = false;
  const ChartSource* source = nullptr;
  std::string base;  // in Git: the folder that its patterns begin at

  bool has(const Cluster& cluster, std::string_view file) const {
    if (!file.starts_with(path) || (!is_deep && file.find('/', path.size()) != std::string_view::npos)) return false;
    const std::string in_git = cluster.context().tree_in_git + std::string(file);
    const auto below = path_below(in_git, base);
    return below && lets_in(*source, *below);
  }
};

struct Refused {
  const Object* object = nullptr;
  bool is_namespaced = false;

  std::string_view list() const { return is_namespaced ? "namespaceResourceWhitelist" : "clusterResourceWhitelist"; }
};

// The first object of each kind in the folders that the project doesn't permit.
std::vector<Refused> refused_objects(const Cluster& cluster, const Object& project, std::span<const Folder> folders) {
  std::vector<Refused> refused;
  const crd::Registry* registry = cluster.context().registry;
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const Object* object : registry == nullptr ? Objects() : cluster.objects()) {
    const auto has = [&](const Folder& folder) { return folder.has(cluster, object->file().path); };
    if (std::none_of(folders.begin(), folders.end(), has) || !known.emplace(object->group(), object->kind()).second)
      continue;
    const auto versions = registry->versions(object->group(), object->kind());
    const bool namespaced = versions.empty() ? !object->space().empty() : versions.front().namespaced;
    if (!permits_kind(project, *object, namespaced)) refused.push_back({object, namespaced});
  }
  return refused;
}

bool may_be_own(const Cluster& cluster, const ChartSource& source) {
  const RepositoryClusters* own = cluster.context().clusters;
  return own == nullptr || is_generated(source.repository) || own->may_be_at(source.repository);
}

// The objects of this tree that a source with a path applies.
void check_objects(const Object& application, const Object& project, const ChartSource& source, Report& report) {
  const Cluster& cluster = application.cluster();
  const std::string& root = cluster.context().tree_in_git;
  if (!may_be_own(cluster, source)) return;
  std::string_view path = source.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || !path.starts_with(root) || source.node["plugin"]) return;
  const Folder folder{std::string(path.substr(root.size())) + "/", source.node["directory.recurse"].is_true(), &source,
                      std::string(path)};
  for (const Refused& refused : refused_objects(cluster, project, {&folder, 1})) {
    const Object& object = *refused.object;
    Finding& finding = report.at(source.node["path"], "the AppProject `{}` doesn't permit the kind `{}` of this folder",
                                 project.name(), object.kind());
    finding.also(object, "an object of this kind");
    if (!is_shown_with(source.node, project)) finding.note("the project is in `{}`", project.file().path);
    finding.note("Argo CD rejects the sync of the Application")
        .help("add `{{group: \"{}\", kind: {}}}` to `{}` of the project", object.group(), object.kind(),
              refused.list());
  }
}

void check_with(const Object& application, const Object& project, Report& report) {
  const Node root = application_in(application);
  const Node destination = root["spec.destination"];
  const std::string_view space = destination["namespace"].text();
  const bool has_cluster = !destination["name"].text().empty() || !destination["server"].text().empty();
  const bool is_known = !is_generated(destination["name"].text()) && !is_generated(destination["server"].text());
  if (has_cluster && is_known) {
    const Verdict verdict = of_destination(project, destination, space);
    const Node cluster = destination["name"] ? destination["name"] : destination["server"];
    if (is_refused(verdict)) {
      const std::string place =
          space.empty() ? std::string(cluster.text()) : fmt::format("{}/{}", cluster.text(), space);
      report_refusal(cluster, project, verdict, report, fmt::format("destination `{}`", place))
          .help("permit it in `spec.destinations` of the project, or name another project");
    }
  }
  for (const ChartSource& source : sources_of(application)) {
    if (source.repository.empty() || is_generated(source.repository)) continue;
    const Verdict verdict = of_source(project, source.repository);
    if (is_refused(verdict))
      report_refusal(source.node["repoURL"], project, verdict, report,
                     fmt::format("repository `{}`", source.repository))
          .help("permit it in `spec.sourceRepos` of the project, or name another project");
    check_objects(application, project, source, report);
  }
}

bool is_external(const Context& context, std::string_view project) {
  const std::string key = fmt::format("AppProject/{}", project);
  return std::ranges::any_of(context.externals, [&](const std::string& each) { return glob_matches(each, key); });
}

// A name of a project that is in none of the files, and close to one that is. Others may be in another repository.
void check_name(const Object& application, const Node& name, Report& report) {
  const Context& context = application.cluster().context();
  const bool is_known = name.text().empty() || name.text() == "default" || is_generated(name.text());
  if (is_known || is_external(context, name.text())) return;
  std::vector<std::string_view> names;
  for (const Object* project : application.cluster().of_kind("AppProject")) {
    if (project->group() == "argoproj.io") names.push_back(project->name());
  }
  for (const Object* project : context.argocd == nullptr ? std::vector<const Object*>() : context.argocd->projects())
    names.push_back(project->name());
  const std::string_view best = nearest(name.text(), names);
  constexpr std::size_t kMostEdits = 2;
  if (best.empty() || edit_distance(name.text(), best) > kMostEdits) return;
  report.at(name, "no AppProject of this repository is named `{}`", name.text())
      .note("Argo CD rejects the Application if there is none")
      .help("did you mean `{}`? If it is in another repository, list `AppProject/{}` in `lint.externals`", best,
            name.text())
      .fix(name, std::string(best), Safety::Unsafe, "name the existing project")
      .as(Severity::Warning);
}

void check(const Object& application, Report& report) {
  const Node named = application_in(application)["spec.project"];
  const std::string_view name = named.text();
  const Cluster& cluster = application.cluster();
  bool is_found = false;
  for (const Object* project : cluster.of_kind("AppProject")) {
    if (project->group() != "argoproj.io" || project->name() != name) continue;
    is_found = true;
    check_with(application, *project, report);
  }
  const Object* common =
      is_found || cluster.context().argocd == nullptr ? nullptr : cluster.context().argocd->project(name);
  if (common != nullptr) check_with(application, *common, report);
  else if (!is_found) check_name(application, named, report);
}

// The kinds of a cluster that an Application or ApplicationSet of the folder `argocd/` applies.
void check_kinds(const Cluster& cluster, Report& report) {
  const Context& context = cluster.context();
  if (context.argocd == nullptr || cluster.name().empty()) return;
  const std::string own = fmt::format("clusters/{}/", cluster.name());
  for (const auto& applier : context.argocd->appliers_of(context.tree_in_git + own.substr(0, own.size() - 1))) {
    const ChartSource& source = *applier.source;
    const Object* project = context.argocd->project(application_in(*applier.object)["spec.project"].text());
    if (project == nullptr || !may_be_own(cluster, source)) continue;
    // The printed ApplicationSet applies the folder itself, and that of its add-ons.
    const bool is_deep = source.node["directory.recurse"].is_true();
    const bool is_computed = applier.is_set() && is_generated(source.path);
    const std::string in_git = context.tree_in_git + own;
    std::vector<Folder> folders{{own, is_deep, &source, is_computed ? in_git : std::string(source.path)}};
    if (applier.is_set()) folders.push_back({own + "addons/", true, &source, in_git + "addons"});
    for (const Refused& refused : refused_objects(cluster, *project, folders)) {
      const Object& object = *refused.object;
      report.at(object, "the AppProject `{}` doesn't permit the kind `{}`", project->name(), object.kind())
          .note("`{}` applies it with the project of `{}`; Argo CD rejects the sync", applier.file(),
                project->file().path)
          .help("add `{{group: \"{}\", kind: {}}}` to `{}` in `{}`", object.group(), object.kind(), refused.list(),
                project->file().path);
    }
  }
}

}  // namespace

CW_LINT_RULE(project_permission){
    .code = "CAP822",
    .name = "project-permission",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports an Application whose AppProject doesn't permit its destination, its repositories, or the kinds of objects in the folder that it
applies. The project is in the same folder of a cluster, or in the folder `argocd/` beside `capwright.yaml`. Also reports objects of a
cluster that an Application or ApplicationSet in `argocd/` applies with such a project, and the name of a project that no file has, if it differs
by a typing error from one that exists.

## Why is this bad?

Argo CD rejects the Application, or its sync, so nothing is installed. It shows only in Argo CD.

The rule evaluates `*` and `?` in patterns, and denials that begin with `!`. It reports nothing if a pattern has other special characters, or if
the project names a cluster by its server and the Application by its name. A denied namespace counts only in an entry with `server`: Argo CD
ignores one beside `name`. A project without `namespaceResourceWhitelist` permits all kinds
that have a namespace; one without `clusterResourceWhitelist` permits none of the others.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: a}
spec:
  sourceRepos: ["https://charts.example.com/*", "!https://charts.example.com/old"]
  destinations:
    - {server: https://a.example.com:6443, namespace: "*"}
    - {server: https://a.example.com:6443, namespace: "!kube-system"}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-dns}
spec:
  project: a
  destination:
    server: https://a.example.com:6443   # error: [project-permission] "6443/kube-system`"
    namespace: kube-system
  source:
    repoURL: https://charts.example.com/old   # error: [project-permission] "doesn't permit the repository"
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: a}
spec:
  sourceRepos: ["https://charts.example.com/*"]
  destinations: [{name: a, namespace: "*"}]
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-dns}
spec:
  project: a
  destination: {name: a, namespace: kube-system}
  source: {repoURL: "https://charts.example.com/dns"}
```

## Options

`lint.externals` in `capwright.yaml`: projects of other repositories, as `AppProject/name`.

## Fix

Unsafe: replaces the name of a project by a similar one.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
    .check_cluster = check_kinds,
};

}  // namespace capwright::lint::rules::project_permission
