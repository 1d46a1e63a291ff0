// Both commands have the same sides, so that a plan explains a diff.
#include "cli/comparison_options.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/shared_options.h"
#include "plan/gate.h"

namespace capwright::cli {

void add_sides(CLI::App& app, ComparisonOptions& options, workflow::PlainTemplates& plain,
               std::vector<std::string> forms) {
  app.add_option("target", options.targets,
                 "Clusters or values files (default: all in the repository); or two folders, the old one first")
      ->type_name("CLUSTER|FILE|DIR DIR");
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`, to compare with")->type_name("DIR");
  app.add_option("--base", options.base,
                 "Compare with the render of this Git revision, or of the checkout in this folder")
      ->type_name("REV|DIR");
  app.add_flag("--merge-base", options.merge_base,
               "With `--base REV`: compare with the merge base of HEAD and REV, ignoring later changes in REV");
  app.add_flag("--upgrade-set", options.upgrade_set, "Use this capwright's version of the template set");
  app.add_option("-j,--jobs", options.jobs, "Number of clusters to compare in parallel")->type_name("N");
  add_run_sources(app, options.common);
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common, std::move(forms));
}

void add_budget(CLI::App& app, std::size_t& budget) {
  app.add_option("--budget", budget, "Limit the Markdown to this many bytes, most severe first")->type_name("BYTES");
}

void add_gate(CLI::App& app, workflow::GateOptions& gate) {
  CLI::Option* fail_on = add_list(app, "--fail-on", gate.fail_on,
                                  "Exit with 1 if this happens, to anything or only to a cluster, control-plane, pool, "
                                  "add-on or object, as in `orphan-pool`");
  offer(fail_on, "VERB[-TARGET]", plan::Gate::words())->delimiter(',');
  app.add_option("--max-roll", gate.max_roll, "Exit with 1 if more machines are replaced, such as `20` or `5%`")
      ->type_name("N|N%");
  add_list(app, "--allow-delete", gate.allow_delete, "Allow this cluster to be deleted; can be repeated")
      ->type_name("CLUSTER")
      ->delimiter(',');
}

std::string contradiction_of_sides(const ComparisonOptions& options) {
  if (options.base && options.output) return "`--base` and `--output` exclude each other";
  if (options.merge_base && !options.base) return "`--merge-base` needs `--base REVISION`";
  if (options.merge_base && !options.compares_with_revision())
    return fmt::format("`--merge-base` needs a revision, but `{}` is a folder", *options.base);
  const auto& files = options.common.report_files;
  const bool prints_markdown =
      options.common.form == "markdown" ||
      std::any_of(files.begin(), files.end(), [](const ReportFile& file) { return file.form == "markdown"; });
  return options.budget != 0 && !prints_markdown ? "`--budget` needs `--format markdown`" : "";
}

}  // namespace capwright::cli
