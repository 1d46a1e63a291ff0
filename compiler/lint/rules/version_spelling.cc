// CAP501: the version syntax of each Kubernetes distribution.
#include <algorithm>

#include "lint/engine/rule.h"

namespace capwright::lint::rules::version_spelling {
namespace {

// Parses `v1.35.8` and returns the rest of the text; empty if it doesn't start with a version.
std::optional<std::string_view> behind_version(std::string_view text, bool patch_required) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  for (int part = 0; part < 3; ++part) {
    if (part != 0) {
      if (!text.starts_with('.')) return part == 2 && !patch_required ? std::optional(text) : std::nullopt;
      text.remove_prefix(1);
    }
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || (digits > 1 && text[0] == '0')) return std::nullopt;
    text.remove_prefix(digits);
  }
  return text;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

struct Spelling {
  std::string_view kind;
  std::string_view suffix;  // before the last number; empty: the version ends after its patch
  std::string_view example;
  bool patch_required = true;
};

constexpr Spelling kSpellings[] = {
    {"RKE2ControlPlane", "+rke2r", "v1.35.7+rke2r1"}, {"KThreesControlPlane", "+k3s", "v1.35.7+k3s1"},
    {"KubeadmControlPlane", "", "v1.35.8"},           {"AWSManagedControlPlane", "", "v1.35", false},
    {"AzureASOManagedControlPlane", "", "v1.35.8"},   {"OCIManagedControlPlane", "", "v1.35.8"},
};

// Suffixes of Kubernetes' own pre-releases, and of builds that don't belong to a distribution.
bool fits(std::string_view version, const Spelling& spelling) {
  const auto rest = behind_version(version, spelling.patch_required);
  if (!rest) return false;
  if (spelling.suffix.empty())
    return rest->find("rke2") == std::string_view::npos && rest->find("k3s") == std::string_view::npos;
  return rest->starts_with(spelling.suffix) && is_number(rest->substr(spelling.suffix.size()));
}

const Spelling* spelling_of(std::string_view kind) {
  const auto found =
      std::find_if(std::begin(kSpellings), std::end(kSpellings), [&](const Spelling& s) { return s.kind == kind; });
  return found == std::end(kSpellings) ? nullptr : found;
}

// A pool has the distribution of the cluster's control plane.
const Spelling* spelling_of_pool(const Object& pool) {
  for (const Object* cluster : pool.cluster().of_kind("Cluster")) {
    if (cluster->name() != pool["spec.clusterName"].text()) continue;
    return spelling_of((*cluster)["spec.controlPlaneRef.kind"].text());
  }
  return nullptr;
}

void check(const Object& object, Report& report) {
  const bool is_pool = object.kind() == "MachineDeployment" || object.kind() == "MachinePool";
  const Node version = is_pool ? object["spec.template.spec.version"] : object["spec.version"];
  const Spelling* spelling = is_pool ? spelling_of_pool(object) : spelling_of(object.kind());
  if (spelling == nullptr || version.text().empty() || fits(version.text(), *spelling)) return;
  Finding& finding = report.at(version, "{} doesn't accept the version `{}`", spelling->kind, version.text());
  const std::string meant = "v" + std::string(version.text());
  if (!fits(meant, *spelling)) {
    finding.help("write it in the form of `{}`", spelling->example);
    return;
  }
  finding.help("write `{}`", meant).fix(version, meant, Safety::Unsafe, "begin the version with `v`");
}

}  // namespace

CW_LINT_RULE(version_spelling){
    .code = "CAP501",
    .name = "version-spelling",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds =
        "KubeadmControlPlane RKE2ControlPlane KThreesControlPlane AWSManagedControlPlane AzureASOManagedControlPlane "
        "OCIManagedControlPlane MachineDeployment MachinePool",
    .docs = R"md(
## What it does

Reports a Kubernetes version in a form that the control plane's provider doesn't accept.

## Why is this bad?

kubeadm, AKS and OKE need `v1.35.8`, EKS also accepts `v1.35`, RKE2 needs `v1.35.7+rke2r1` and k3s `v1.35.7+k3s1`. A version
in another form matches no release, and the machines never start. Pools use the form of their cluster's control plane.

## Example

```yaml
kind: RKE2ControlPlane
spec: {version: v1.35.7}   # error: [version-spelling] "RKE2ControlPlane doesn't accept the version `v1.35.7`"
```

## Use instead

```yaml
kind: RKE2ControlPlane
spec: {version: v1.35.7+rke2r1}
---
kind: KubeadmControlPlane
spec: {version: v1.36.0-rc.1}
---
kind: AWSManagedControlPlane
spec: {version: v1.35}
```

## Fix

Unsafe: adds the `v`.
)md",
    .fixes = Safety::Unsafe,
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::version_spelling
