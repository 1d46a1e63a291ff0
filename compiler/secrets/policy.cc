// Checks rendered bytes instead of templates: taint has followed the value through every operation.
#include "secrets/policy.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "diag/catalog/layers.h"
#include "secrets/secret_leaves.h"

namespace capwright {
namespace {

using Holder = std::optional<secrets::SecretHolder>;

struct Known {
  std::span<const Span> secrets;  // of the values
  Stage& stage;
};

// Not the values beside secrets that an expression reads, too.
void label_secrets(Diagnostic& diagnostic, OriginId value, const Known& known) {
  for (const OriginId leaf : known.stage.origins.leaves(value)) {
    const Span place = known.stage.origins[leaf].span;
    if (std::find(known.secrets.begin(), known.secrets.end(), place) != known.secrets.end())
      diagnostic.also(place, "the secret is set here");
  }
}

void report_leak(const RenderedFile& file, const Segment& segment, Holder holder, const Known& known) {
  Diagnostic& diagnostic = known.stage.sink.report(diag::secret_outside_form, segment.where, file.path);
  label_secrets(diagnostic, segment.value, known);
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
void report_leaks(const FileSet& files, Holder holder, const Known& known) {
  for (const RenderedFile& file : files.files()) {
    if (!file.secret) continue;
    std::vector<Segment> leaks;
    if (holder) leaks = secrets::find_secret_leaves(file, *holder, known.stage.limits).outside;
    else leaks.assign(file.body.segments().begin(), file.body.segments().end());
    for (const Segment& segment : leaks) {
      if (segment.tainted) report_leak(file, segment, holder, known);
    }
  }
}

// The first secret of a plain folder's files; null: there is none.
const Segment* first_secret(const FileSet& files) {
  for (const RenderedFile& file : files.files()) {
    if (!file.secret) continue;
    const auto segments = file.body.segments();
    const auto found = std::find_if(segments.begin(), segments.end(), [](const Segment& each) { return each.tainted; });
    if (found != segments.end()) return &*found;
  }
  return nullptr;
}

// `secret`: the first one of a plain folder's files; null with a form.
void check_readable(const Segment* secret, const SecretForm& form, OutputPlace output, const Known& known) {
  if (!output.ci && !output.inside_work_tree) return;
  const auto& spec = output.ci ? diag::plain_secret_in_ci : diag::plain_secret_in_tree;
  Diagnostic& diagnostic = known.stage.sink.report(spec, secret == nullptr ? form.where : secret->where);
  if (secret != nullptr) label_secrets(diagnostic, secret->value, known);
  const std::string_view reference = "render an ExternalSecret or the name of a Secret (docs/own-templates.md)";
  const std::string_view elsewhere = "use `--stdout`, or `-o` with a folder outside the repository";
  if (form.plain_folder && output.ci) diagnostic.advise(std::string(reference));
  else if (form.plain_folder) diagnostic.advise(fmt::format("{}, or {}", reference, elsewhere));
  else if (output.ci) diagnostic.advise("use `external` or `ref`");
  else diagnostic.advise(fmt::format("{}, or another form", elsewhere));
}

}  // namespace

void check_secret_policy(const FileSet& files, const SecretForm& form, OutputPlace output,
                         std::span<const Span> secrets, Stage& stage) {
  const Known known{secrets, stage};
  bool has_secret = false;
  for (const RenderedFile& file : files.files()) has_secret = has_secret || file.secret;
  const std::size_t errors = stage.sink.error_count();
  if (has_secret) report_leaks(files, form.holder(), known);
  const bool has_leaks = stage.sink.error_count() != errors;  // in a plain folder, the better report of the same secret
  if (!form.plain_folder) check_plain_form(form, output, stage);
  else if (has_secret && !has_leaks) check_readable(first_secret(files), form, output, known);
}

void check_plain_form(const SecretForm& form, OutputPlace output, Stage& stage) {
  if (form.name == "plain" && !form.plain_folder) check_readable(nullptr, form, output, {{}, stage});
}

}  // namespace capwright
