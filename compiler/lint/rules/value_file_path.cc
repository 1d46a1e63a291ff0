// CAP813: value files of charts that are not where the Application says.
#include <algorithm>

#include "diag/suggest.h"
#include "lint/cluster_addons.h"
#include "lint/rule.h"

namespace capwright::lint {
namespace {

// "clusters/a/addons/x/values.yaml" of a longer path; empty when it leads elsewhere.
std::string_view within_clusters(std::string_view path) {
  constexpr std::string_view kFolder = "clusters/";
  for (std::size_t at = path.find(kFolder); at != std::string_view::npos; at = path.find(kFolder, at + 1)) {
    if (at == 0 || path[at - 1] == '/') return path.substr(at);
  }
  return {};
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Files of the tree that it could mean. Without any the tree was given in part, and says nothing.
std::vector<std::string_view> candidates_for(std::string_view path, const Cluster& cluster) {
  std::vector<std::string_view> found;
  for (const File& file : cluster.files()) {
    if (file_name(file.path) == file_name(path)) found.push_back(within_clusters(file.path));
  }
  return found;
}

void check_file(const Node& place, const Cluster& cluster, Report& report) {
  const std::string_view text = place.text();
  const std::size_t slash = text.find('/');
  if (!text.starts_with('$') || slash == std::string_view::npos) return;
  const std::string_view path = within_clusters(text.substr(slash + 1));
  if (path.empty() || file_at(cluster, path) != nullptr) return;
  const std::string own = fmt::format("clusters/{}/", cluster.name());
  const std::vector<std::string_view> candidates = candidates_for(path, cluster);
  if (candidates.empty()) return;
  Finding& finding = report.at(place, "there is no file `{}`", path);
  finding.note("without it the chart can't be rendered");
  if (!path.starts_with(own)) {
    finding.help("the files of this cluster are in `{}`", own);
    return;
  }
  const std::string_view best = nearest(path, candidates);
  if (best.empty()) return;
  finding.help("did you mean `{}`?", best);
  const std::string kept(text.substr(0, text.size() - path.size()));
  finding.fix(place, kept + std::string(best), Safety::Unsafe, "name the file that is there");
}

void check(const Object& application, Report& report) {
  if (!is_application(application) || application.cluster().name().empty()) return;
  for (const ChartSource& source : sources_of(application)) {
    for (const Node& file : source.value_files()) check_file(file, application.cluster(), report);
  }
}

}  // namespace

CW_LINT_RULE(value_file_path){
    .code = "CAP813",
    .name = "value-file-path",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application",
    .docs = R"md(
An Application names a file of chart values that is not in the tree.

Argo CD can't render the chart then, so nothing of it is installed or updated. It happens when a cluster's folder was copied
and the path still names the old one, or an add-on's folder was renamed. Looked at are paths below `clusters/`, in trees that
were given whole.

## Invalid

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder_csi/values.yaml   # error: [value-file-path] "there is no file `clusters/a/addons/cinder_csi/values.yaml`"
          - $values/deploy/clusters/old/addons/cinder-csi/values.yaml   # error: [value-file-path]
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```

## Valid

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder-csi/values.yaml
          - $values/common/cinder.yaml
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```

## Fix

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder_csi/values.yaml
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```

becomes

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder-csi/values.yaml
    - {ref: values}
```
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint
