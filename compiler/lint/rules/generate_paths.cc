// CAP818: paths in `manifest-generate-paths` that don't include all inputs of an Application.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
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
    if (!source.path.empty()) inputs.emplace_back(source.node["path"], cleaned(source.path).value_or(""));
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
    const bool covered =
        path.empty() || std::any_of(paths.entries.begin(), paths.entries.end(),
                                    [&path = path](const std::string& entry) { return covers(entry, path); });
    if (covered) continue;
    report.at(annotation, "`{}` isn't covered by the paths", path)
        .also(node, "the Application is rendered from it")
        .note("Argo CD doesn't refresh the Application for a commit that only changes uncovered files")
        .help("add `;/{}`", path);
  }
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
