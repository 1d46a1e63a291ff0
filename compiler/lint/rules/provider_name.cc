// CAP222: names that a cloud rejects although Kubernetes accepts them.
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "lint/engine/rule.h"

namespace capwright::lint::rules::provider_name {
namespace {

enum class Letters : std::uint8_t { LowerAndDigits, Alphanumeric, Dashed, Resource };

// The characters and length that a cloud allows for a name.
struct Form {
  std::string_view what;
  std::size_t most;
  Letters letters;
  bool letter_first;
  std::string_view words;
};
constexpr Form kAksPool{"a node pool of AKS", 12, Letters::LowerAndDigits, true,
                        "lower-case letters and digits, a letter first"};
constexpr Form kAksWindowsPool{"a Windows node pool of AKS", 6, Letters::LowerAndDigits, true,
                               "lower-case letters and digits, a letter first"};
constexpr Form kAksCluster{"a cluster of AKS", 63, Letters::Dashed, false, "letters, digits, `-` and `_`"};
constexpr Form kDnsPrefix{"the DNS prefix of AKS", 54, Letters::Dashed, false, "letters, digits and `-`"};
constexpr Form kResourceGroup{"a resource group of Azure", 90, Letters::Resource, false,
                              "letters, digits, `-`, `_`, `.` and parentheses"};
constexpr Form kNodeResourceGroup{"AKS' resource group for nodes", 80, Letters::Resource, false,
                                  "letters, digits, `-`, `_`, `.` and parentheses"};
constexpr Form kEksCluster{"a cluster of EKS", 100, Letters::Dashed, false, "letters, digits, `-` and `_`"};
constexpr Form kEksPool{"a node group of EKS", 63, Letters::Dashed, false, "letters, digits, `-` and `_`"};
constexpr Form kIamRole{"a role of IAM", 64, Letters::Resource, false, "letters, digits and `+=,.@-_`"};
constexpr Form kOracleDns{"a DNS label of OCI", 15, Letters::Alphanumeric, true, "letters and digits, a letter first"};

bool may_stand(char c, Letters letters) {
  constexpr std::string_view kResource = "-_.()+=,@";
  switch (letters) {
    case Letters::LowerAndDigits: return (c >= 'a' && c <= 'z') || is_digit(c);
    case Letters::Alphanumeric: return is_letter(c) || is_digit(c);
    case Letters::Dashed: return is_letter(c) || is_digit(c) || c == '-' || c == '_';
    case Letters::Resource: return is_letter(c) || is_digit(c) || kResource.find(c) != std::string_view::npos;
  }
  return false;
}

bool fits(std::string_view name, const Form& form) {
  if (name.size() > form.most || (form.letter_first && !is_letter(name.front()))) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return may_stand(c, form.letters); });
}

// Placeholders that are replaced later aren't checked.
void check_name(const Node& node, const Form& form, Report& report) {
  const std::string_view name = node.text();
  if (name.empty() || fits(name, form) || name.find_first_of("{$<") != std::string_view::npos) return;
  auto& finding = report.at(node, "`{}` can't be the name of {}", name, form.what);
  finding.note("{} to {} characters: {}", 1, form.most, form.words);
  if (name.size() > form.most) finding.help("it has {} characters: shorten it", name.size());
  else finding.help("use only these characters");
}

// The name of an Azure object: `azureName`, or its name in Kubernetes.
Node azure_name(const Node& resource) {
  const Node name = resource["spec.azureName"];
  return name ? name : resource["metadata.name"];
}

void check_azure(const Object& object, Report& report) {
  for (const Node resource : object["spec.resources"].items()) {
    const std::string_view kind = resource["kind"].text();
    if (kind == "ManagedClustersAgentPool") {
      const bool is_windows = resource["spec.osType"].text() == "Windows";
      check_name(azure_name(resource), is_windows ? kAksWindowsPool : kAksPool, report);
    } else if (kind == "ManagedCluster") {
      check_name(azure_name(resource), kAksCluster, report);
      check_name(resource["spec.dnsPrefix"], kDnsPrefix, report);
      check_name(resource["spec.nodeResourceGroup"], kNodeResourceGroup, report);
    } else if (kind == "ResourceGroup") {
      check_name(azure_name(resource), kResourceGroup, report);
    }
  }
}

void check_oracle(const Object& object, Report& report) {
  const Node network = object["spec.networkSpec.vcn"];
  check_name(network["dnsLabel"], kOracleDns, report);
  for (const Node subnet : network["subnets"].items()) check_name(subnet["dnsLabel"], kOracleDns, report);
}

void check(const Object& object, Report& report) {
  const std::string_view kind = object.kind();
  if (kind.starts_with("AzureASO")) check_azure(object, report);
  if (kind.starts_with("OCI")) check_oracle(object, report);
  if (kind == "AWSManagedControlPlane") check_name(object["spec.eksClusterName"], kEksCluster, report);
  if (kind == "AWSManagedMachinePool") check_name(object["spec.eksNodegroupName"], kEksPool, report);
  if (kind.starts_with("AWSManaged")) check_name(object["spec.roleName"], kIamRole, report);
  if (kind == "AzureManagedMachinePool") {
    const bool is_windows = object["spec.osType"].text() == "Windows";
    const Node name = object["spec.name"];
    check_name(name ? name : object["metadata.name"], is_windows ? kAksWindowsPool : kAksPool, report);
  }
}

}  // namespace

CW_LINT_RULE(provider_name){
    .code = "CAP222",
    .name = "provider-name",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds =
        "AzureASOManagedCluster AzureASOManagedControlPlane AzureASOManagedMachinePool AzureManagedMachinePool "
        "AWSManagedControlPlane AWSManagedMachinePool OCICluster OCIManagedCluster",
    .docs = R"md(
## What it does

Reports a name that Kubernetes accepts and the cloud rejects.

## Why is this bad?

The object is created, and then the provider's controller fails in a loop. The cloud's error is only visible in the
controller's log or in a status. The limits are

| name | at most | of |
|---|---|---|
| node pool of AKS | 12, on Windows 6 | lower-case letters and digits, a letter first |
| cluster of AKS; its DNS prefix | 63; 54 | letters, digits, `-`, `_` |
| resource group; that of nodes | 90; 80 | letters, digits, `-`, `_`, `.`, parentheses |
| cluster of EKS; node group; IAM role | 100; 63; 64 | letters, digits, `-`, `_` |
| DNS label of OCI | 15 | letters and digits, a letter first |

The name of an Azure object is `azureName`, by default `metadata.name`.

## Example

```yaml
kind: AzureASOManagedMachinePool
spec:
  resources:
    - kind: ManagedClustersAgentPool
      metadata: {name: prod-pool}
      spec:
        azureName: worker-pool-1   # error: [provider-name] "`worker-pool-1` can't be the name of a node pool of AKS"
    - kind: ManagedClustersAgentPool
      metadata:
        name: prod-pool   # error: [provider-name]
    - kind: ManagedClustersAgentPool
      spec:
        osType: Windows
        azureName: windows   # error: [provider-name] "a Windows node pool"
---
kind: AzureManagedMachinePool
metadata:
  name: 1pool   # error: [provider-name]
```

## Use instead

```yaml
kind: AzureASOManagedMachinePool
spec:
  resources:
    - {kind: ManagedClustersAgentPool, metadata: {name: prod-pool}, spec: {azureName: system}}
---
kind: AzureASOManagedControlPlane
spec:
  resources:
    - {kind: ManagedCluster, metadata: {name: prod-a}, spec: {dnsPrefix: prod-a, nodeResourceGroup: prod-a-nodes}}
---
kind: OCIManagedCluster
spec: {networkSpec: {vcn: {dnsLabel: prod15character}}}
---
kind: AWSManagedControlPlane
spec: {eksClusterName: prod_a-1}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::provider_name
