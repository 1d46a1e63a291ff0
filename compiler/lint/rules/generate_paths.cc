// CAP818: paths in `manifest-generate-paths` that don't include all inputs of an Application.
#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <set>
#include <utility>

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
  const std::size_t special = entry.find_first_of("*?[");  // patterns of Argo CD aren't evaluated
  if (special != std::string_view::npos) return path.starts_with(entry.substr(0, special));
  return path.starts_with(entry) && path[entry.size()] == '/';
}

struct Paths {
  std::vector<std::string> entries;  // from the repository's root
  std::vector<std::string> outside;  // entries that lead out of the repository
};

Paths read_paths(std::string_view annotation, std::string_view source_path) {
  Paths paths;
  for (std::string_view rest = annotation; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, end), " ");
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (entry.empty()) continue;
    const std::string from_root =
        entry.starts_with('/') ? std::string(entry) : std::string(source_path) + "/" + std::string(entry);
    const std::optional<std::string> path = cleaned(from_root);
    if (path) paths.entries.push_back(*path);
    else paths.outside.emplace_back(entry);
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

// The paths of an ApplicationSet for the Application of a values file. Other parameters name the tree of the cluster.
std::string filled_in(std::string_view paths, std::string_view values_file) {
  const std::size_t slash = values_file.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? "." : values_file.substr(0, slash);
  const std::string_view name = slash == std::string_view::npos ? values_file : values_file.substr(slash + 1);
  const std::array<std::pair<std::string_view, std::string_view>, 4> known{
      {{".path.path", folder}, {".path.filename", name}, {"path", folder}, {"path.filename", name}}};
  std::string text;
  while (!paths.empty()) {
    const std::size_t open = paths.find("{{"), close = paths.find("}}", std::min(open, paths.size()));
    if (close == std::string_view::npos) return text.append(paths);
    const std::string_view parameter = trimmed(paths.substr(open + 2, close - open - 2), " ");
    const auto found = std::ranges::find(known, parameter, &std::pair<std::string_view, std::string_view>::first);
    text.append(paths.substr(0, open));
    text.append(found != known.end() ? found->second : "*");  // a pattern, which isn't evaluated
    paths.remove_prefix(close + 2);
  }
  return text;
}

// The shortest path that the printed annotation has for an input: its folder at the top of the project, but not a
// folder of values files.
std::string shortened(const std::string& input, const RepositoryClusters& clusters) {
  const std::string root = clusters.in_git("");
  const std::string below = input.substr(root.size());
  const std::string top = below.substr(0, below.find('/'));
  const auto& places = clusters.config().values;
  const bool has_values = std::ranges::any_of(places, [&](std::string_view place) {
    while (place.starts_with("./")) place.remove_prefix(2);
    return place == "." || place.substr(0, place.find('/')) == top;
  });
  return has_values ? input : root + top;
}

// The inputs of the clusters that an ApplicationSet renders from their values files.
void check_set(const Object& set, Report& report) {
  constexpr std::size_t kMostClusters = 100;  // whose values are read
  const RepositoryClusters* clusters = set.cluster().context().clusters;
  const Node annotation = application_in(set)["metadata.annotations"].member(kAnnotation);
  const std::vector<ChartSource> sources = plugin_sources(set);
  if (clusters == nullptr || sources.empty() || !annotation.is(Kind::String) || annotation.text().empty()) return;
  std::set<std::string> missing;
  std::string example;
  const std::vector<std::string>& files = clusters->values_files();
  const std::size_t step = files.size() / kMostClusters + 1;
  for (std::size_t i = 0; i < files.size(); i += step) {
    if (!renders_cluster(set, sources.front(), *clusters, files[i])) continue;
    const std::string values = clusters->in_git(files[i]);
    const Paths paths = read_paths(filled_in(annotation.text(), values), sources.front().path);
    if (!paths.outside.empty()) return;
    for (const std::string& input : clusters->inputs(files[i])) {
      if (input == values || is_covered(paths, input)) continue;
      if (example.empty()) example = files[i];
      missing.insert(shortened(input, *clusters));
    }
  }
  if (missing.empty()) return;
  Finding& finding = missing.size() == 1 ? report.at(annotation, "`{}` isn't covered by the paths", *missing.begin())
                                         : report.at(annotation, "`{}` and {} more aren't covered by the paths",
                                                     *missing.begin(), missing.size() - 1);
  finding.note("the plugin renders `{}` from it; Argo CD doesn't render again if only uncovered files change", example)
      .help("add `;/{}`", fmt::join(missing, ";/"));
}

void check(const Object& application, Report& report) {
  if (application.kind() == "ApplicationSet") return check_set(application, report);
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
  const std::string_view source_path = with_path == sources.end() ? "" : with_path->path;
  const Paths paths = read_paths(annotation.text(), source_path);
  for (const std::string& entry : paths.outside)
    report.at(annotation, "`{}` is outside the repository", entry)
        .note("a path without a leading `/` is relative to the source's path `{}`", source_path)
        .help("write a leading `/` for the repository's root");
  if (!paths.outside.empty() || paths.entries.empty()) return;
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
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports `argocd.argoproj.io/manifest-generate-paths` that doesn't cover all inputs of the Application.

If [capwright's plugin](argocd.md#the-plugin) renders a cluster of this repository, these are `capwright.yaml`, the cluster's values file,
its layers and your own templates. In an ApplicationSet, the annotation of its template has to cover those of all clusters; the rule reads
the values of 100 of them.

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
