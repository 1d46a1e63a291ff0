// `capwright affected`: the clusters whose output can differ from that of a revision, for job matrices.
#include "workflow/affected.h"

#include <algorithm>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"

namespace capwright::cli {
namespace {

struct AffectedOptions : workflow::AffectedRequest {
  CommonOptions common;
};

int run_affected(const AffectedOptions& options) {
  Console console(options.common);
  const auto open =
      workflow::open_project({.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = {}});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  report::AffectedClusters affected;
  if (!workflow::find_affected(options, options.common, *open, affected))
    return std::max<int>(show_faults(*open, console), kUsageError);
  if (options.common.format == Format::Json) return console.finish(report::affected_as_json(affected));
  if (const std::string removed = report::removed_as_text(affected); !removed.empty()) console.say(removed);
  return console.finish(report::affected_as_text(affected, options.common.verbose));
}

class AffectedCommand final : public CommandWith<AffectedOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--base", options_.base, "Compare with this Git revision")->type_name("REV")->required();
    app.add_flag("--merge-base", options_.merge_base, "Compare with the merge base of HEAD and REV");
    add_shard(app, options_.shard);
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to render in parallel")->type_name("N");
    add_common(app, options_.common, {"text", "json"});
  }
  int run() override { return run_affected(options_); }

 protected:
  std::string contradiction() const override {
    return options_.common.report_files.empty() ? "" : "`--format FORM=FILE` isn't supported here; redirect the output";
  }
};

}  // namespace

const CommandInfo affected_command{
    "affected",
    "List the clusters that a change affects",
    make_command<AffectedCommand>,
    {{"List the clusters that uncommitted changes affect", "capwright affected --base HEAD"},
     {"As JSON, for a matrix of CI jobs", "capwright affected --base origin/main --merge-base -f json"}}};

}  // namespace capwright::cli
