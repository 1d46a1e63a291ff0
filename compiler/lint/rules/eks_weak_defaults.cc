// CAP612: insecure defaults of EKS.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::eks_weak_defaults {
namespace {

void check_control_plane(const Object& object, Report& report) {
  const Node logging = object["spec.logging"];
  if (!logging["audit"].is_true())
    report.at(logging["audit"], "the audit log of this cluster is disabled")
        .note("changes can't be attributed later: AWS keeps no log that isn't enabled")
        .help("set `logging: {{audit: true}}`")
        .fix_plain(logging["audit"], "true", Safety::Unsafe, "enable the audit log");
  if (!object["spec.associateOIDCProvider"].is_true())
    report.at(object["spec.associateOIDCProvider"], "pods have no identities in AWS")
        .note("without an OIDC provider, every pod has the permissions of its node")
        .help("set `associateOIDCProvider: true`")
        .fix_plain(object["spec.associateOIDCProvider"], "true", Safety::Unsafe, "give pods identities")
        .as(Severity::Note);
  if (!object["spec.encryptionConfig.provider"])
    report.at(object["spec.encryptionConfig"], "Secrets are encrypted with a key of AWS, not with one of yours")
        .help("set a KMS key in `encryptionConfig.provider`; it can't be removed later")
        .as(Severity::Note);
}

void check_node_group(const Object& object, Report& report) {
  const Node launch = object["spec.awsLaunchTemplate"];
  const Node tokens = launch["instanceMetadataOptions.httpTokens"];
  if (!launch || tokens.text() == "required") return;
  report.at(tokens, "pods can get the credentials of their node with an HTTP request")
      .note("instance metadata version 1 needs no token; `optional` is the default")
      .help("set `instanceMetadataOptions.httpTokens: required`")
      .fix(tokens, "required", Safety::Unsafe, "require tokens");
}

void check(const Object& object, Report& report) {
  if (object.kind() == "AWSManagedControlPlane") check_control_plane(object, report);
  else check_node_group(object, report);
}

}  // namespace

CW_LINT_RULE(eks_weak_defaults){
    .code = "CAP612",
    .name = "eks-weak-defaults",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "AWSManagedControlPlane AWSManagedMachinePool",
    .docs = R"md(
## What it does

Reports EKS defaults that are less secure than necessary.

## Why is this bad?

* Without audit logs, incidents can't be investigated.
* With instance metadata without tokens, in a launch template, a pod that can be made to fetch an address gets the node's
  credentials.
* Without an OIDC provider (note), pods can only have the permissions of their node.
* Without your own key for Secrets (note). Once enabled, it can't be disabled.

Configurations that the webhooks reject, such as a launch template beside `instanceType`, are reported as the API server's
findings.

## Example

```yaml
kind: AWSManagedControlPlane
metadata: {name: prod}
spec:   # note: [eks-weak-defaults] "Secrets are encrypted with a key of AWS"
  associateOIDCProvider: false   # note: [eks-weak-defaults] "pods have no identities in AWS"
  logging:
    audit: false   # warning: [eks-weak-defaults] "the audit log of this cluster is disabled"
```

## Use instead

```yaml
kind: AWSManagedControlPlane
metadata: {name: prod}
spec:
  associateOIDCProvider: true
  encryptionConfig: {provider: "arn:aws:kms:eu-west-1:111122223333:key/5b1e7c60", resources: [secrets]}
  logging: {audit: true}
---
kind: AWSManagedMachinePool
metadata: {name: general}
spec: {awsLaunchTemplate: {instanceMetadataOptions: {httpTokens: required}}}
---
kind: AWSManagedMachinePool
metadata: {name: plain}
spec: {instanceType: m7i.large}
```

## Fix

Unsafe: enables the audit log, the OIDC provider or the tokens.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::eks_weak_defaults
