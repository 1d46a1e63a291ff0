// CAP913: credentials that another kind of object provides after the change.
#include <algorithm>
#include <utility>

#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/credential_objects.h"
#include "lint/model/references.h"
#include "pipeline/cluster.h"
#include "text/kubectl.h"

namespace capwright::lint::rules::credential_form {
namespace {

// Whether Kubernetes deletes the Secret together with the object that created it. External Secrets owns it by default,
// and the Sealed Secrets controller always does.
bool goes_with_its_maker(const Object& maker) {
  if (maker.kind() == "SealedSecret") return true;
  const Node policy = maker["spec.target.creationPolicy"];
  return maker.kind() == "ExternalSecret" && (!policy || policy.text() == "Owner");
}

bool is_needed(const RenderedSecret& secret, const Cluster& tree) {
  const auto names_it = [&](const Reference& reference) {
    return reference.kind == "Secret" && reference.name == secret.name &&
           (reference.space.empty() || reference.space == secret.space);
  };
  const auto& objects = tree.objects();
  return std::any_of(objects.begin(), objects.end(), [&](const Object* object) {
    const auto& references = references_of(*object);
    return std::any_of(references.begin(), references.end(), names_it);
  });
}

// The `secrets.form` that decides it; unknown if the objects differ for another reason, or no file sets it.
Span deciding_form(const Object& was, const Cluster& after) {
  static constexpr std::pair<std::string_view, std::string_view> kForms[] = {{"external", "ExternalSecret"},
                                                                             {"sealed", "SealedSecret"},
                                                                             {"sops", "Secret"},
                                                                             {"plain", "Secret"},
                                                                             {"avp", "Secret"},
                                                                             {"ref", ""}};
  const Node form = after.values()["secrets.form"];
  const std::string_view text = form ? form.text() : "";
  const bool decides = std::any_of(std::begin(kForms), std::end(kForms), [&](const auto& known) {
    return known.first == text && known.second != was.kind();
  });
  if (!decides) return {};
  const OriginTable& origins = after.compiled()->origins;
  for (const OriginId leaf : origins.leaves(form.value().origin())) {
    const Origin& origin = origins[leaf];
    if (origin.kind == Origin::Kind::Input && !SourceSet::is_shared(origin.span.file)) return origin.span;
  }
  return {};
}

// Lets the Sealed Secrets controller overwrite the live Secret.
constexpr std::string_view kManaged = "sealedsecrets.bitnami.com/managed=true";
constexpr std::string_view kUnmanaged =
    "the Sealed Secrets controller doesn't overwrite a Secret that it doesn't manage";

// For a Secret that no tool applies from the tree, so that nothing removes the annotation again.
std::string managing_command(const RenderedSecret& secret) {
  return kubectl_filled(fmt::format("kubectl annotate {{resource}} {{name}} -n {{namespace}} {}", kManaged), "",
                        "Secret", secret.name, secret.space);
}

// Deletes a SealedSecret without its Secret, while nothing creates it again.
std::string orphaning_steps(const Object& sealed) {
  const std::string deletion = fmt::format(
      "`{} --cascade=orphan`", kubectl_delete(sealed.group(), sealed.kind(), sealed.name(), sealed.space()));
  switch (sealed.cluster().context().delivery) {
    case Delivery::Flux:
      return fmt::format(
          "run `flux suspend kustomization NAME` for the Kustomization of this cluster, and {}; merge, and run `flux "
          "resume kustomization NAME`",
          deletion);
    case Delivery::Kubectl: return fmt::format("run {}, then merge and apply", deletion);
    case Delivery::ArgoCd: break;
  }
  return fmt::format("suspend the sync, run {}, then merge and sync", deletion);
}

// Whether a ClusterResourceSet applies the Secret, and so owns it.
bool is_carried(const RenderedSecret& secret) {
  for (const Object* set : secret.object->cluster().of_kind("ClusterResourceSet")) {
    for (const Node resource : (*set)["spec.resources"].items()) {
      const bool is_it = resource["kind"].text() == "Secret" && resource["name"].text() == secret.name;
      if (is_it && set->space() == secret.space) return true;
    }
  }
  return false;
}

// The steps before merging the change, by the object that provides the Secret before it. `is`: the one after it, or
// null.
void add_help(const RenderedSecret& was, const RenderedSecret* is, Finding& finding) {
  if (was.object->kind() == "ExternalSecret") {
    finding.note("an ExternalSecret with `creationPolicy: Owner` owns its Secret, and Kubernetes deletes both together")
        .help(
            "first publish a commit that renders the ExternalSecret with `creationPolicy: Orphan`, then change the "
            "form");
    return;
  }
  if (was.object->kind() == "SealedSecret") {
    finding.note("a SealedSecret owns its Secret, and Kubernetes deletes both together")
        .help("{}", orphaning_steps(*was.object));
    return;
  }
  const Cluster& tree = was.object->cluster();
  const bool is_sealed = is != nullptr && is->object->kind() == "SealedSecret";
  const bool is_spared = delivery_deletes(tree) && delivery_spares_owned(tree) && is_carried(was);
  if (is_spared)
    finding.note("{} keeps the Secret when it leaves the tree: a ClusterResourceSet owns it", delivery_tool(tree));
  else if (delivery_deletes(tree)) finding.note("when a Secret leaves the tree, {} deletes it", delivery_tool(tree));
  else finding.note("`kubectl apply` keeps the Secret when it leaves the tree");
  if (is_sealed) finding.note("{}", kUnmanaged);
  if (is_spared || !delivery_deletes(tree)) {
    if (is_sealed) finding.help("first run `{}`", managing_command(was));
    return;
  }
  // One command, so that both annotations have the field manager that Flux keeps.
  finding.help("first run `{}{}{}`", keeping_command(*was.object), is_sealed ? " " : "", is_sealed ? kManaged : "");
}

void check_secret(const RenderedSecret& was, const RenderedSecret* is, const Cluster& after, Report& report) {
  if (is != nullptr && is->object->kind() == was.object->kind()) return;
  if (is == nullptr && !is_needed(was, after)) return;
  const std::string_view kind = was.object->kind();
  const bool is_kept = kind == "ExternalSecret" && !goes_with_its_maker(*was.object);
  const Span form = deciding_form(*was.object, after);
  if (is == nullptr) {
    constexpr auto kGone = "the Secret `{}` is no longer rendered, but the cluster still needs it";
    Finding& finding =
        form.known() ? report.at_source(after, form, kGone, was.name) : report.at(*was.object, kGone, was.name);
    if (!is_kept) return add_help(was, is, finding);
    finding.note("the Secret stays as it is: its ExternalSecret doesn't own it")
        .help("make sure that it is still updated before the credential expires")
        .as(Severity::Note);
    return;
  }
  constexpr auto kMoved = "the Secret `{}` comes from {} instead of {}";
  const std::string maker = is->object->kind() == "Secret" ? "the tree" : is->object->title();
  Finding& finding = form.known() ? report.at_source(after, form, kMoved, was.name, maker, was.object->title())
                                  : report.at(*is->object, kMoved, was.name, maker, was.object->title());
  finding.as(is_kept ? Severity::Note : Severity::Warning);
  if (!is_kept) add_help(was, is, finding);
  else if (is->object->kind() == "SealedSecret")
    finding.note("{}", kUnmanaged).help("first run `{}`", managing_command(was)).as(Severity::Warning);
  else finding.note("the Secret stays when its ExternalSecret is deleted, and the new object overwrites it");
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  const std::vector<RenderedSecret> now = rendered_secrets(*change.after);
  for (const RenderedSecret& was : rendered_secrets(*change.before))
    check_secret(was, find_secret(now, was.space, was.name), *change.after, report);
}

}  // namespace

CW_LINT_RULE(credential_form){
    .code = "CAP913",
    .name = "credential-form",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a credential that is delivered in another form: `secrets.form` changed, or the object that creates the Secret was
removed.

## Why is this bad?

The object that created the Secret is deleted first. If it owns the Secret, Kubernetes deletes the credential too, and the
provider can't reach its cloud until the new form delivers it. With `ref`, nothing delivers it. Follow the order in
[docs/secrets.md](../docs/secrets.md#change-the-form-or-the-store). `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
spec: {identityRef: {name: cloud-config, cloudName: openstack}}
---
kind: ExternalSecret
metadata: {name: cloud-config, namespace: prod}   # error: [credential-form] "the Secret `cloud-config` is no longer rendered, but the"
spec: {target: {name: cloud-config, creationPolicy: Owner}}
```
```yaml file=after/cluster.yaml
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
spec: {identityRef: {name: cloud-config, cloudName: openstack}}
```

## Use instead

```yaml file=before/cluster.yaml
kind: ClusterResourceSet
metadata: {name: prod-loki-credentials, namespace: prod}
spec: {resources: [{kind: Secret, name: prod-loki}]}
---
kind: ExternalSecret
metadata: {name: prod-loki, namespace: prod}
spec: {target: {name: prod-loki, creationPolicy: Owner}}
```
```yaml file=after/cluster.yaml
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
```
)md",
};

CW_CHANGE_RULE(credential_form, check);

}  // namespace capwright::lint::rules::credential_form
