// The policy looks at rendered bytes, not at templates: taint has followed the value through every operation.
#include "pipeline/secret_policy.h"

#include "diag/catalog.h"

namespace capwright {
namespace {

std::string_view form_of(const Value& values) {
  const Value* secrets = values.find("secrets");
  const Value* form = secrets != nullptr ? secrets->find("form") : nullptr;
  return form != nullptr && form->is(Kind::String) ? form->text() : std::string_view();
}

Span form_place(const CompiledCluster& cluster) {
  const Value* secrets = cluster.values.find("secrets");
  const Value* form = secrets != nullptr ? secrets->find("form") : nullptr;
  return form != nullptr ? cluster.origins[form->origin()].span : Span();
}

void report_leaks(const CompiledCluster& cluster, Stage& stage) {
  for (const RenderedFile& file : cluster.files.files()) {
    if (!file.secret) continue;
    for (const Segment& segment : file.body.segments()) {
      if (!segment.tainted) continue;
      Diagnostic& diagnostic = stage.sink.report(diag::secret_outside_form, segment.where, file.path);
      for (const OriginId leaf : stage.origins.leaves(segment.value)) {
        diagnostic.also(stage.origins[leaf].span, "the secret is set here");
      }
      diagnostic.advise("render a reference to it instead, or choose another `secrets.form`");
    }
  }
}

}  // namespace

void check_secret_policy(CompiledCluster& cluster, const ProjectOptions& options, Stage& stage) {
  bool has_secret = false;
  for (const RenderedFile& file : cluster.files.files()) has_secret = has_secret || file.secret;
  const bool readable = cluster.set->plain ? has_secret : form_of(cluster.values) == "plain";
  if (has_secret && !readable) return report_leaks(cluster, stage);
  if (!readable) return;
  if (options.ci) {
    stage.sink.report(diag::plain_secret_in_ci, form_place(cluster)).advise("use `external` or `ref`");
  } else if (options.inside_work_tree) {
    stage.sink.report(diag::plain_secret_in_tree, form_place(cluster))
        .advise("use `--stdout`, or `-o` with a folder outside of the repository, or another form");
  }
}

}  // namespace capwright
