// CAP513: versions of images and charts that change over time.
#include <algorithm>
#include <iterator>

#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::unpinned_version {
namespace {

constexpr int kFirstWithoutAl2 = 33;  // the first minor version of EKS with only AL2023 and Bottlerocket images

bool is_exact(std::string_view revision) {
  if (revision.empty() || revision == "latest" || revision == "HEAD") return false;
  if (revision.find_first_of("*^~<>=| ,") != std::string_view::npos) return false;
  return revision.find(".x") == std::string_view::npos && revision.find('.') != std::string_view::npos;
}

void check_application(const Object& application, Report& report) {
  for (const ChartSource& source : sources_of(application)) {
    if (source.chart.empty() || is_exact(source.revision) || is_generated(source.revision)) continue;
    const Node revision = source.node["targetRevision"];
    if (revision && !revision.is(Kind::String)) continue;  // an unquoted number: the version is unclear
    Finding& finding =
        source.revision.empty()
            ? report.at(revision, "the chart `{}` has no version, so it changes without a commit", source.chart)
            : report.at(revision,
                        "the version `{}` of the chart `{}` isn't exact, so the chart changes without a commit",
                        source.revision, source.chart);
    finding.note("Argo CD uses the newest match at any time").help("set an exact version, such as 1.2.3");
  }
}

void check_image(const Object& machines, Report& report) {
  const Node filter = machines["spec.template.spec.image.filter"];
  const std::string_view name = filter["name"].text();
  if (filter && name.empty() && filter["tags"].size() != 0)
    report.at(filter, "an image selected by tags can differ between two machines")
        .note("if two images match, no machine is created")
        .help("use `id`, or a `name` that is unique");
  else if (name == "latest" || name.ends_with("-latest") || name.ends_with(":latest"))
    report.at(filter["name"], "the image `{}` changes without a commit", name)
        .note("machines of one pool then differ")
        .help("use an image with a version in its name");
}

void check_node_group(const Object& pool, Report& report) {
  const Node type = pool["spec.amiType"];
  constexpr std::string_view kAl2[] = {"AL2_x86_64", "AL2_x86_64_GPU", "AL2_ARM_64"};
  if (type && std::find(std::begin(kAl2), std::end(kAl2), type.text()) == std::end(kAl2)) return;
  std::optional<KubernetesVersion> version;
  for (const Object* machines : pool.cluster().of_kind("MachinePool")) {
    if (object_at(*machines, (*machines)["spec.template.spec.infrastructureRef"]) == &pool)
      version = kubernetes_version((*machines)["spec.template.spec.version"].text());
  }
  if (version && version->minor >= kFirstWithoutAl2)
    report
        .at(type, "{} has no image for {}", type ? type.text() : "the default of `amiType`, AL2_x86_64,",
            version->minor_text())
        .help("use `AL2023_x86_64_STANDARD` or a Bottlerocket type")
        .as(Severity::Error);
  else if (!type)
    report.at(type, "`amiType` isn't set; its default, AL2_x86_64, has no images after 1.32")
        .help("set it, for example to `AL2023_x86_64_STANDARD`");
}

void check(const Object& object, Report& report) {
  if (application_in(object)) {
    check_application(object, report);
  } else if (object.kind() == "OpenStackMachineTemplate") {
    check_image(object, report);
  } else if (object.kind() == "AWSManagedMachinePool") {
    check_node_group(object, report);
  } else if (const Node image = object["spec.nodeSourceViaImage.imageId"];
             !image && object.kind() == "OCIManagedMachinePool") {
    report.at(image, "`imageId` isn't set, so the provider selects an image for each new machine")
        .note("nodes of one pool then differ")
        .help("set `nodeSourceViaImage.imageId`");
  }
}

}  // namespace

CW_LINT_RULE(unpinned_version){
    .code = "CAP513",
    .name = "unpinned-version",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Application ApplicationSet OpenStackMachineTemplate AWSManagedMachinePool OCIManagedMachinePool",
    .docs = R"md(
## What it does

Reports an image or chart without an exact version.

## Why is this bad?

The running state then differs from Git: a chart is upgraded without a commit, two machines of a pool differ, and reverting
a commit doesn't restore the old state.

* A chart in an Application or ApplicationSet whose `targetRevision` is missing, a range, `*` or `HEAD`.
* An OpenStack image selected only by tags, or named `latest`.
* An OKE node pool without `imageId`.
* An EKS node group without `amiType`: the default, AL2, has no images since Kubernetes 1.33 (an error there).

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-cilium}
spec:
  sources:
    - repoURL: https://charts.example.com
      chart: cilium
      targetRevision: 1.20.*   # warning: [unpinned-version] "the version `1.20.*` of the chart `cilium`"
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-cilium}
spec:
  sources:
    - {repoURL: "https://charts.example.com", chart: cilium, targetRevision: 1.20.0}
    - {repoURL: "https://git.example.com/platform/clusters.git", targetRevision: main, ref: values}
---
kind: OpenStackMachineTemplate
metadata: {name: general}
spec: {template: {spec: {image: {filter: {name: ubuntu-2404-kube-v1.35.8, tags: [kube]}}}}}
---
kind: AWSManagedMachinePool
metadata: {name: general}
spec: {amiType: BOTTLEROCKET_x86_64}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::unpinned_version
