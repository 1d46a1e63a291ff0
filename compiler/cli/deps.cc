// `capwright deps`: the files that a cluster is rendered from, for build tools and for Argo CD.
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "report/inputs_report.h"
#include "workflow/recorded_inputs.h"

namespace capwright::cli {
namespace {

struct DepsOptions {
  CommonOptions common;  // its format is that of the inputs
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> output;       // -o
  std::optional<std::string> rule_target;  // --target
  unsigned jobs = 0;                       // 0: one per processor
};

constexpr const char* kAnnotation = "argocd-annotation";

class DepsRun {
 public:
  DepsRun(const DepsOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options), open_(open), console_(console) {}

  int run(const workflow::OpenRequest& request) {
    const std::vector<std::string> clusters = workflow::choose_clusters(open_, options_.targets);
    if (open_.sink.failed()) return std::max<int>(show_faults(open_, console_), kUsageError);
    workflow::RecordedInputs recorded(request, open_);
    if (!recorded.record(clusters, options_.jobs)) return std::max<int>(show_faults(open_, console_), kUsageError);
    report::Findings findings;
    recorded.add_findings(findings);
    if (findings.count(Severity::Error) != 0) {
      console_.show(findings, true);
      return exit_code(findings);
    }
    inputs_ = recorded.clusters();
    if (!write(options_.common.form, "")) return kUsageError;
    for (const ReportFile& file : options_.common.report_files) {
      if (!write(file.form, file.path)) return kUsageError;
    }
    return console_.finish();
  }

 private:
  // An empty path: standard output, unless only files were asked for.
  bool write(std::string_view form, const std::string& path) {
    if (path.empty() && form == "text" && !options_.common.report_files.empty()) return true;
    std::string why;
    const std::string text = in_form(form, why);
    if (!why.empty()) {
      console_.fail(why);
      return false;
    }
    if (path.empty()) return console_.print(text);
    return console_.save(path, text);
  }

  std::string in_form(std::string_view form, std::string& why) const {
    if (form == "text") return report::inputs_as_text(inputs_);
    if (form == "json") return report::inputs_as_json(inputs_);
    std::string text;
    const std::string root = form == kAnnotation ? open_.folder_in_git() : "";
    for (const report::ClusterInputs& cluster : inputs_) {
      if (form == "make") text += report::inputs_as_depfile(cluster, target_of(cluster), prefix(), why);
      else if (form == "bazel") text += report::inputs_as_bazel(cluster, why);
      else text += report::inputs_as_annotation(cluster, root, why) + "\n";
    }
    return text;
  }

  const std::string& prefix() const { return open_.project->workspace().prefix; }
  std::string target_of(const report::ClusterInputs& cluster) const {
    return options_.rule_target ? *options_.rule_target : prefix() + cluster.tree;
  }

  const DepsOptions& options_;
  workflow::OpenProject& open_;
  Console& console_;
  std::vector<report::ClusterInputs> inputs_;
};

int run_deps(const DepsOptions& options) {
  const CommonOptions common = for_findings(options.common);
  Console console(common);
  const workflow::OpenRequest request{.repository = options.common,
                                      .values = options.values,
                                      .plain = options.plain,
                                      .writes = false,
                                      .output = options.output,
                                      .encrypts = true};
  const auto open = workflow::open_project(request);
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  return DepsRun(options, *open, console).run(request);
}

class DepsCommand final : public CommandWith<DepsOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.targets, "Clusters or values files (default: all in the repository)")
        ->type_name("CLUSTER|FILE");
    app.add_option("-o,--output", options_.output, "Folder that contains `clusters/`")->type_name("DIR");
    app.add_option("--target", options_.rule_target, "Target of the rule of `-f make` (default: the cluster's folder)")
        ->type_name("FILE");
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to render in parallel")->type_name("N");
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common, {"text", "json", "make", "bazel", kAnnotation});
  }
  int run() override { return run_deps(options_); }

 protected:
  std::string contradiction() const override {
    const auto& files = options_.values.files;
    if (std::find(files.begin(), files.end(), "-") != files.end())
      return "values from `-` have no file that could be listed";
    const auto& reports = options_.common.report_files;
    const bool has_rule =
        options_.common.form == "make" ||
        std::any_of(reports.begin(), reports.end(), [](const auto& each) { return each.form == "make"; });
    if (options_.rule_target && !has_rule) return "`--target` needs `--format make`";
    if (options_.rule_target && options_.targets.size() != 1) return "`--target` needs exactly one cluster";
    return {};
  }
};

}  // namespace

const CommandInfo deps_command{"deps",
                               "List the files that a cluster is rendered from",
                               make_command<DepsCommand>,
                               {{"List the inputs of a cluster", "capwright deps prod-a"},
                                {"Write a rule for Make or Ninja", "capwright deps prod-a -f make=prod-a.d"}}};

}  // namespace capwright::cli
