// `capwright schema list`: the provider releases with known kinds, and which of them are targeted.
#include <algorithm>
#include <fmt/format.h>

#include "cli/console.h"
#include "cli/faults.h"
#include "cli/schema_options.h"
#include "crd/digest.h"
#include "diag/catalog/schemas.h"
#include "pipeline/schemas.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

// Built-in digests are valid; those of a repository may have been changed by hand.
void check_own(const KnownSchemas& known, Sink& sink) {
  for (std::size_t i = built_in_digests().size(); i < known.files.size(); ++i) {
    const crd::DigestFile& file = known.files[i];
    if (!file.path.ends_with(".json")) continue;
    for (const std::string& fault : crd::digest_faults(std::string(file.text)))
      sink.report(diag::broken_digest, {}, std::string(file.path), fault);
  }
}

}  // namespace

int run_schema_list(const SchemaOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  const Project& project = *open->project;
  const KnownSchemas known = load_schemas(open->fs, project.workspace(), project.config(), stage);
  check_own(known, open->sink);
  if (open->sink.failed()) return show_faults(*open, console);
  const crd::Registry& registry = *known.registry;
  const std::vector<std::string_view> served = registry.served_releases();
  for (const std::string_view release : registry.releases()) {
    const bool targeted = std::find(served.begin(), served.end(), release) != served.end();
    const auto kinds =
        std::count_if(registry.kinds().begin(), registry.kinds().end(),
                      [&](const crd::KindVersion& kind) { return kind.release == release && kind.served; });
    const std::string_view ending = kinds == 1 ? "" : "s";
    console.print(targeted ? fmt::format("{:<26} {:>3} schema{}\n", release, kinds, ending)
                           : fmt::format("{:<26} not targeted\n", release));
  }
  return console.finish();
}

}  // namespace capwright::cli
