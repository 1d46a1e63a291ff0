// CAP822: Applications that their AppProject doesn't permit.
#include <set>

#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
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

// A destination may be known by its name on one side and by its server on the other.
Match match_cluster(const Node& item, std::string_view name, std::string_view server, bool& denies) {
  const std::string_view known_name = item["name"].text(), known_server = item["server"].text();
  const auto compare = [&](std::string_view pattern, std::string_view text) {
    denies = is_denial(pattern);
    return match(pattern.substr(denies ? 1 : 0), text);
  };
  if (name.empty() && server == kOwnServer) name = kOwnName;
  if (server.empty() && name == kOwnName) server = kOwnServer;
  Match found = Match::No;
  bool is_compared = false;
  for (const auto& [pattern, text] : {std::pair(known_name, name), std::pair(known_server, server)}) {
    if (pattern.empty() || (text.empty() && pattern != "*")) continue;
    is_compared = true;
    found = compare(pattern, text);
    if (found != Match::No) return found;
  }
  return is_compared || (known_name.empty() && known_server.empty()) ? found : Match::Unknown;
}

Verdict of_destination(const Object& project, const Node& destination, std::string_view space) {
  Verdict verdict;
  for (const Node item : project["spec.destinations"].items()) {
    bool denies_cluster = false;
    const Match cluster = match_cluster(item, destination["name"].text(), destination["server"].text(), denies_cluster);
    const std::string_view pattern = item["namespace"].text();
    const bool denies_space = is_denial(pattern);
    const Match of_space = match(pattern.substr(denies_space ? 1 : 0), space);
    if (cluster == Match::Unknown || of_space == Match::Unknown) verdict.is_unknown = true;
    else if (denies_cluster || denies_space) {
      // An entry with a denial concerns what its other part matches.
      const bool concerns = (denies_cluster || cluster == Match::Yes) && (denies_space || of_space == Match::Yes);
      const bool is_denied = (denies_cluster && cluster == Match::Yes) || (denies_space && of_space == Match::Yes);
      if (concerns) add(verdict, is_denied ? Match::Yes : Match::No, true, item);
    } else {
      add(verdict, cluster == Match::Yes && of_space == Match::Yes ? Match::Yes : Match::No, false, item);
    }
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

Finding& report_refusal(const Node& place, const Object& project, const Verdict& verdict, Report& report,
                        const std::string& what) {
  Finding& finding = report.at(place, "the AppProject `{}` doesn't permit the {}", project.name(), what);
  if (verdict.denial.exists()) finding.also(verdict.denial, "this denies it");
  else finding.also(project, "the project");
  return finding.note("Argo CD rejects the Application");
}

// The objects of this tree that a source with a path applies.
void check_objects(const Object& application, const Object& project, const ChartSource& source, Report& report) {
  const Cluster& cluster = application.cluster();
  const std::string& root = cluster.context().tree_in_git;
  std::string_view path = source.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || !path.starts_with(root) || source.node["plugin"]) return;
  const std::string folder = std::string(path.substr(root.size())) + "/";
  const bool is_deep = source.node["directory.recurse"].is_true();
  std::set<std::string> reported;
  for (const File& file : cluster.files()) {
    if (!file.path.starts_with(folder)) continue;
    if (!is_deep && file.path.find('/', folder.size()) != std::string::npos) continue;
    for (const Document& document : file.documents) {
      const Object* object = cluster.object_of(document);
      if (object == nullptr || cluster.context().registry == nullptr) continue;
      const auto versions = cluster.context().registry->versions(object->group(), object->kind());
      const bool namespaced = versions.empty() ? !object->space().empty() : versions.front().namespaced;
      if (permits_kind(project, *object, namespaced)) continue;
      if (!reported.insert(std::string(object->group()) + "/" + std::string(object->kind())).second) continue;
      report
          .at(source.node["path"], "the AppProject `{}` doesn't permit the kind `{}` of this folder", project.name(),
              object->kind())
          .also(*object, "an object of this kind")
          .note("Argo CD rejects the sync of the Application")
          .help("add `{{group: \"{}\", kind: {}}}` to `{}` of the project", object->group(), object->kind(),
                namespaced ? "namespaceResourceWhitelist" : "clusterResourceWhitelist");
    }
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

void check(const Object& application, Report& report) {
  const std::string_view name = application_in(application)["spec.project"].text();
  for (const Object* project : application.cluster().of_kind("AppProject")) {
    if (project->group() == "argoproj.io" && project->name() == name) check_with(application, *project, report);
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

Reports an Application whose AppProject is in the same tree and doesn't permit its destination, its repositories, or the kinds of objects
in the folder that it applies.

## Why is this bad?

Argo CD rejects the Application, or its sync, so nothing is installed. It shows only in Argo CD.

The rule evaluates `*` and `?` in patterns, and denials that begin with `!`. It reports nothing if a pattern has other special characters, or if
the project names a cluster by its server and the Application by its name. A project without `namespaceResourceWhitelist` permits all kinds
that have a namespace; one without `clusterResourceWhitelist` permits none of the others.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: a}
spec:
  sourceRepos: ["https://charts.example.com/*", "!https://charts.example.com/old"]
  destinations: [{name: a, namespace: "*"}, {name: a, namespace: "!kube-system"}]
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-dns}
spec:
  project: a
  destination:
    name: a   # error: [project-permission] "doesn't permit the destination `a/kube-system`"
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
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::project_permission
