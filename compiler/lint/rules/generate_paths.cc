// CAP818: paths in `manifest-generate-paths` that don't include all inputs of an Application.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/plugin_sources.h"
#include "lint/model/repository_clusters.h"
#include "text/trim.h"

namespace capwright::lint::rules::generate_paths {
namespace {

constexpr std::string_view kAnnotation = "argocd.argoproj.io/manifest-generate-paths";

// A path from the repository's root without `.` and `..`; empty if it leads out of the repository.
std::optional<std::string> cleaned(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part != "..") parts.push_back(part);
    else if (parts.empty()) return std::nullopt;
    else parts.pop_back();
  }
  std::string whole;
  for (const std::string_view part : parts) whole += (whole.empty() ? "" : "/") + std::string(part);
  return whole;
}

// Whether an entry of the annotation, a folder, file or pattern, includes the path.
bool covers(std::string_view entry, std::string_view path) {
  if (entry.empty() || entry == path) return true;
  if (entry.find_first_of("*?[") != std::string_view::npos) return true;  // patterns of Argo CD aren't evaluated
  return path.starts_with(entry) && path[entry.size()] == '/';
}

struct Paths {
  std::vector<std::string> entries;  // from the repository's root
  bool sound = true;
};

Paths read_paths(const Node& annotation, std::string_view source_path, Report& report) {
  Paths paths;
  for (std::string_view rest = annotation.text(); !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, end), " ");
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (entry.empty()) continue;
    const std::string from_root =
        entry.starts_with('/') ? std::string(entry) : std::string(source_path) + "/" + std::string(entry);
    const std::optional<std::string> path = cleaned(from_root);
    if (path) {
      paths.entries.push_back(*path);
      continue;
    }
    report.at(annotation, "`{}` is outside the repository", entry)
        .note("a path without a leading `/` is relative to the source's path `{}`", source_path)
        .help("write a leading `/` for the repository's root");
    paths.sound = false;
  }
  return paths;
}

// The inputs of the Application in the repository that the annotation applies to.
std::vector<std::pair<Node, std::string>> inputs_of(const std::vector<ChartSource>& sources) {
  std::vector<std::pair<Node, std::string>> inputs;
  for (const ChartSource& source : sources) {
    const bool is_rendered = source.node["plugin.name"].text() == "capwright";  // from files that check_plugin() names
    if (!source.path.empty() && !is_rendered)
      inputs.emplace_back(source.node["path"], cleaned(source.path).value_or(""));
    for (const Node file : source.value_files()) {
      const std::string_view text = file.text();
      const std::size_t slash = text.find('/');
      const bool referred = text.starts_with('$') && slash != std::string_view::npos;
      if (referred) inputs.emplace_back(file, cleaned(text.substr(slash + 1)).value_or(""));
      else if (!source.path.empty() && text.find("://") == std::string_view::npos)
        inputs.emplace_back(file, cleaned(std::string(source.path) + "/" + std::string(text)).value_or(""));
    }
  }
  return inputs;
}

bool is_covered(const Paths& paths, std::string_view input) {
  return std::any_of(paths.entries.begin(), paths.entries.end(),
                     [&](const std::string& entry) { return covers(entry, input); });
}

// The files that capwright's plugin renders the cluster from.
void check_plugin(const Object& application, const Node& annotation, const Paths& paths, Report& report) {
  const RepositoryClusters* clusters = application.cluster().context().clusters;
  for (const ChartSource& source : plugin_sources(application)) {
    const std::vector<Node> named = plugin_parameters(source, "cluster");
    if (clusters == nullptr || named.empty() || !clusters->may_be_at(source.repository)) continue;
    const std::string values = clusters->values_file(named.front()["string"].text(), source.path);
    if (values.empty()) continue;  // CAP821
    std::vector<std::string> missing;
    for (const std::string& input : clusters->inputs(values)) {
      if (!is_covered(paths, input)) missing.push_back(input);
    }
    if (missing.empty()) continue;
    Finding& finding = missing.size() == 1 ? report.at(annotation, "`{}` isn't covered by the paths", missing.front())
                                           : report.at(annotation, "`{}` and {} more aren't covered by the paths",
                                                       missing[0], missing.size() - 1);
    finding.also(named.front()["string"], "the plugin renders this cluster from it")
        .note("Argo CD doesn't refresh the Application for a commit that only changes uncovered files")
        .help("use the paths that `capwright deps {} -f argocd-annotation` prints", values);
  }
}

void check(const Object& application, Report& report) {
  const Node annotation = application.annotation(kAnnotation);
  if (!is_application(application) || !annotation.is(Kind::String)) return;
  const std::vector<ChartSource>& sources = sources_of(application);
  const auto with_path =
      std::find_if(sources.begin(), sources.end(), [](const ChartSource& source) { return !source.path.empty(); });
  if (annotation.text().find(',') != std::string_view::npos && annotation.text().find(';') == std::string_view::npos) {
    report.at(annotation, "the paths are separated by `,`, which Argo CD treats as part of a name")
        .help("separate them with `;`");
    return;
  }
  const Paths paths = read_paths(annotation, with_path == sources.end() ? "" : with_path->path, report);
  if (!paths.sound || paths.entries.empty()) return;
  for (const auto& [node, path] : inputs_of(sources)) {
    if (path.empty() || is_covered(paths, path)) continue;
    report.at(annotation, "`{}` isn't covered by the paths", path)
        .also(node, "the Application is rendered from it")
        .note("Argo CD doesn't refresh the Application for a commit that only changes uncovered files")
        .help("add `;/{}`", path);
  }
  check_plugin(application, annotation, paths, report);
}

}  // namespace

CW_LINT_RULE(generate_paths){
    .code = "CAP818",
    .name = "generate-paths",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application",
    .docs = R"md(
## What it does

Reports `argocd.argoproj.io/manifest-generate-paths` that doesn't cover all inputs of the Application.

If [capwright's plugin](argocd.md#the-plugin) renders a cluster of this repository, these are `capwright.yaml`, the cluster's values file,
its layers and your own templates.

## Why is this bad?

Argo CD only compares files in these paths between two commits. If none of them changed, it keeps the manifests that it
rendered before: a change of an uncovered value file is never applied, and the Application is reported as Synced.

Paths are separated by `;`. A path that begins with `/` is relative to the repository's root, others to the source's `path`.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app
  annotations:
    argocd.argoproj.io/manifest-generate-paths: /charts/app   # error: [generate-paths] "`clusters/a/app/values.yaml` isn't covered by the paths"
spec:
  sources:
    - path: charts/app
      helm: {valueFiles: [$values/clusters/a/app/values.yaml]}
    - {ref: values}
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app
  annotations:
    argocd.argoproj.io/manifest-generate-paths: .;../../templates;/clusters/a
spec:
  sources:
    - path: apps/app
      helm: {valueFiles: [values.yaml, $values/clusters/a/app/values.yaml]}
    - {ref: values}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::generate_paths
