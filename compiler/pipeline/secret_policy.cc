// Checks rendered bytes instead of templates: taint has followed the value through every operation.
#include "pipeline/secret_policy.h"

#include <optional>
#include <vector>

#include "diag/catalog/layers.h"
#include "pipeline/seal_secrets.h"
#include "secrets/secret_leaves.h"

namespace capwright {
namespace {

const Value* form_of(const CompiledCluster& cluster) {
  const Value* secrets = cluster.values.find("secrets");
  return secrets != nullptr ? secrets->find("form") : nullptr;
}

using Holder = std::optional<secrets::SecretHolder>;

// The objects in which the form renders secrets; empty if it renders none. Without a certificate, values aren't sealed.
// A plain folder has no forms.
Holder holder_of(const CompiledCluster& cluster) {
  if (cluster.set->plain) return secrets::SecretHolder::Secret;
  const std::string_view form = secrets_form(cluster);
  if (form == "plain" || form == "sops") return secrets::SecretHolder::Secret;
  return may_seal(cluster) ? Holder(secrets::SecretHolder::SealedSecret) : std::nullopt;
}

void report_leak(const RenderedFile& file, const Segment& segment, Holder holder, Stage& stage) {
  Diagnostic& diagnostic = stage.sink.report(diag::secret_outside_form, segment.where, file.path);
  for (const OriginId leaf : stage.origins.leaves(segment.value)) {
    diagnostic.also(stage.origins[leaf].span, "the secret is set here");
  }
  if (holder) {
    const bool sealed = *holder == secrets::SecretHolder::SealedSecret;
    diagnostic.note(sealed ? "it is outside `spec.encryptedData` of a SealedSecret"
                           : "it is outside `data` and `stringData` of a Secret");
    diagnostic.advise("put it into a Secret, and render a reference to that here");
  } else {
    diagnostic.advise("render a reference to it instead, or choose another `secrets.form`");
  }
}

// With a form, only searches outside of its objects.
void report_leaks(const CompiledCluster& cluster, Stage& stage) {
  const Holder holder = holder_of(cluster);
  for (const RenderedFile& file : cluster.files.files()) {
    if (!file.secret) continue;
    std::vector<Segment> leaks;
    if (holder) leaks = secrets::find_secret_leaves(file, *holder, stage.limits).outside;
    else leaks.assign(file.body.segments().begin(), file.body.segments().end());
    for (const Segment& segment : leaks) {
      if (segment.tainted) report_leak(file, segment, holder, stage);
    }
  }
}

void check_readable(const CompiledCluster& cluster, const ProjectOptions& options, Stage& stage) {
  if (options.ci) {
    stage.sink.report(diag::plain_secret_in_ci, form_place(cluster)).advise("use `external` or `ref`");
  } else if (options.inside_work_tree) {
    stage.sink.report(diag::plain_secret_in_tree, form_place(cluster))
        .advise("use `--stdout`, or `-o` with a folder outside the repository, or another form");
  }
}

}  // namespace

std::string_view secrets_form(const CompiledCluster& cluster) {
  const Value* form = form_of(cluster);
  return form != nullptr && form->is(Kind::String) ? form->text() : std::string_view();
}

Span form_place(const CompiledCluster& cluster) {
  const Value* form = form_of(cluster);
  return form != nullptr ? cluster.origins[form->origin()].span : Span();
}

void check_secret_policy(CompiledCluster& cluster, const ProjectOptions& options, Stage& stage) {
  bool has_secret = false;
  for (const RenderedFile& file : cluster.files.files()) has_secret = has_secret || file.secret;
  if (has_secret) report_leaks(cluster, stage);
  const bool readable = cluster.set->plain ? has_secret : secrets_form(cluster) == "plain";
  if (readable) check_readable(cluster, options, stage);
}

}  // namespace capwright
