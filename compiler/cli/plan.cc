// `capwright plan`: the effects of a change on machines, by cluster and for the fleet.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/comparison_options.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "report/plan_report.h"
#include "workflow/comparison.h"
#include "workflow/open_project.h"
#include "workflow/planned_fleet.h"

namespace capwright::cli {
namespace {

struct PlanOptions : ComparisonOptions {
  workflow::GateOptions gate;
  Severity fail_level = Severity::Warning;
  bool by_cluster = false;
};

class PlanRun {
 public:
  PlanRun(const PlanOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options), open_(open), console_(console), sides_(options, open) {}

  int run() {
    plan::Gate gate;
    const std::string bad_gate = workflow::read_gate(options_.gate, gate);
    if (!bad_gate.empty()) return console_.fail(bad_gate);
    if (!sides_.prepare(diff::Traces::Control)) {
      print_faults();
      return end(nullptr);
    }
    workflow::PlannedFleet planned(gate, sides_.registry(), open_.project.get(), open_.limits);
    if (const auto delivery = sides_.delivery_of_base()) planned.was_delivered_by(*delivery);
    planned.leave([this](const std::string& cluster) { return sides_.left_folder(cluster); });
    const diff::CompareOptions compare{sides_.registry(), {}, false, options_.common.progress};
    const auto visit = [&](std::size_t, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
      planned.visit(diff, pair);
    };
    const diff::FleetResult result = diff::compare_fleet(sides_.pairs(), compare, options_.jobs, visit);
    if (!sides_.has_whole_base()) {
      print_faults();
      return end(nullptr);
    }
    report::FleetPlan plan = planned.finish(result, sides_.before(), sides_.after());
    sides_.also_report(planned.warnings());
    plan.faults = sides_.faults(&result).all();
    const report::Findings& findings = planned.findings();
    is_clean_ = plan.broken.empty() && findings.count(Severity::Error) == 0 &&
                (options_.fail_level > Severity::Warning || findings.count(Severity::Warning) == 0) &&
                (options_.fail_level > Severity::Note || findings.count(Severity::Note) == 0);
    print(plan);
    return end(&result);
  }

 private:
  void print(const report::FleetPlan& plan) {
    write_form(plan, options_.common.form, console_.color(), [this](std::string_view piece) { console_.print(piece); });
    for (const ReportFile& file : options_.common.report_files) {
      console_.save(file.path,
                    report::written_by([&](const report::Write& write) { write_form(plan, file.form, false, write); }));
    }
  }

  void write_form(const report::FleetPlan& plan, std::string_view form, bool color, const report::Write& write) const {
    if (form == "json") report::write_plan_json(plan, write);
    else if (form == "markdown")
      write(report::plan_as_markdown(plan, options_.budget, workflow::folder_in_git(options_.common)));
    else if (form == "github") write(report::plan_as_github(plan, workflow::folder_in_git(options_.common)));
    else report::write_plan_text(plan, {options_.common.verbose, color, options_.by_cluster}, write);
  }

  // Prints the errors that keep the sides from being opened, in machine-readable formats.
  void print_faults() {
    report::FleetPlan plan{{}, 0, 0, {}, sides_.before(), sides_.after()};
    plan.faults = sides_.faults(nullptr).all();
    if (!plan.faults.empty() && options_.common.form != "text") print(plan);
  }

  // Shows the errors and returns the exit code. Null: nothing was compared.
  int end(const diff::FleetResult* result) {
    const bool sound = show_faults(sides_, result, console_);
    const bool lost = !console_.flush() || !sound;
    if (result == nullptr || result->fails_now() || lost) return kUsageError;
    return is_clean_ ? kClean : kFindings;
  }

  const PlanOptions& options_;
  const workflow::OpenProject& open_;
  Console& console_;
  workflow::Comparison sides_;
  bool is_clean_ = true;  // no limit is violated
};

int run_plan(const PlanOptions& options) {
  const CommonOptions common = for_findings(options.common);
  Console console(common);
  const auto open = workflow::open_for(options.common, options);
  return PlanRun(options, *open, console).run();
}

class PlanCommand final : public CommandWith<PlanOptions> {
 public:
  void add_options(CLI::App& app) override {
    add_gate(app, options_.gate);
    add_choice<bool>(app, "--by", options_.by_cluster, {{"action", false}, {"cluster", true}},
                     "Order of the text (default: changes that clusters share are shown once)");
    add_fail_level(app, options_.fail_level);
    add_budget(app, options_.budget);
    add_sides(app, options_, plain_, {"text", "json", "markdown", "github"});
  }
  int run() override { return run_plan(options_); }

 protected:
  std::string contradiction() const override { return contradiction_of_sides(options_); }
};

}  // namespace

const CommandInfo plan_command{
    "plan",
    "Show which machines a change replaces, and why",
    make_command<PlanCommand>,
    {{"Show what a render would do to machines", "capwright plan"},
     {"Write a comment for a pull request", "capwright plan --base origin/main --merge-base -f markdown=plan.md"},
     {"Fail if the change deletes anything or replaces more than 5% of the machines",
      "capwright plan --base origin/main --fail-on delete --max-roll 5%"}}};

}  // namespace capwright::cli
