// CAP221: names that become part of names of machines, labels and hosts.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::dns_label {
namespace {

constexpr std::size_t kLabelLength = 63;  // of a DNS label (RFC 1123), and of a label's value
// A machine set appends `-` and five characters to the name, and a machine the same to that of its set.
constexpr std::size_t kMachineSuffix = 12;

bool is_label(std::string_view name) {
  const auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_inner(name.front()) || !is_inner(name.back())) return false;
  for (const char c : name) {
    if (!is_inner(c) && c != '-') return false;
  }
  return true;
}

// Whether the name still contains text between these delimiters.
bool holds_between(std::string_view name, std::string_view open, std::string_view close) {
  const std::size_t at = name.find(open);
  return at != std::string_view::npos && name.find(close, at + open.size()) != std::string_view::npos;
}

void check(const Object& object, Report& report) {
  const Node name = object["metadata.name"];
  const bool is_rendered = !holds_between(name.text(), "${", "}") && !holds_between(name.text(), "{{", "}}");
  if (name.text().empty() || !is_rendered) return;  // CAP102 reports it
  const std::size_t length = name.text().size();
  if (!is_label(name.text())) {
    report.at(name, "`{}` isn't a DNS label", name.text())
        .note("it becomes a label value and part of machine and host names")
        .help("use lower-case letters, digits and `-`, with a letter or digit at both ends");
  } else if (length > kLabelLength) {
    report.at(name, "the name has {} characters; a label has at most {}", length, kLabelLength);
  } else if (object.kind() == "MachineDeployment" && length + kMachineSuffix > kLabelLength) {
    report
        .at(name, "names of machines are truncated: with suffixes they would have {} characters",
            length + kMachineSuffix)
        .help("use at most {} characters", kLabelLength - kMachineSuffix)
        .as(Severity::Warning);
  }
}

}  // namespace

CW_LINT_RULE(dns_label){
    .code = "CAP221",
    .name = "dns-label",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster MachineDeployment MachinePool KubeadmControlPlane RKE2ControlPlane KThreesControlPlane",
    .docs = R"md(
## What it does

Reports a name that isn't a valid DNS label although other names are derived from it.

## Why is this bad?

The API server accepts names of 253 characters with dots. Names of clusters, control planes and pools also become label
values and prefixes of machine and host names, which are limited to 63 characters without dots. Cluster API truncates longer
machine names, and then the machines of two pools can't be distinguished.

## Example

```yaml
kind: Cluster
metadata:
  name: prod.eu   # error: [dns-label] "`prod.eu` isn't a DNS label"
---
kind: MachineDeployment
metadata:
  name: a-cluster-with-a-long-name-and-a-pool-with-a-longer-one   # warning: [dns-label] "67 characters"
---
kind: MachinePool
metadata:
  name: a-cluster-with-a-long-name-and-a-pool-with-a-longer-one-in-zone-1   # error: [dns-label] "the name has 65 characters"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod-eu-1}
---
kind: MachineDeployment
metadata: {name: prod-eu-1-general-purpose}
```
)md",
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::dns_label
