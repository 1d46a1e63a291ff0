// `capwright remap`: maps the findings of other tools about the rendered tree to values and templates.
#include "remap/remap.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "lint/facts/credential_places.h"
#include "pipeline/compile_fleet.h"
#include "report/text.h"
#include "workflow/session.h"
#include "workflow/standard_input.h"

namespace capwright::cli {
namespace {

// Report formats of other tools.
enum class ReportKind : std::uint8_t { Kubeconform, Sarif };

struct RemapOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  ReportKind from = ReportKind::Kubeconform;
  std::string file = "-";
  std::optional<std::string> output;
  lint::Blame blame = lint::Blame::Value;
};

using remap::ForeignFinding;

// Parses the report. Returns false after reporting an error.
bool read_report(const RemapOptions& options, workflow::OpenProject& open, Console& console,
                 std::vector<ForeignFinding>& findings) {
  const std::size_t most = open.limits.input_bytes;
  const std::string shown = options.file == "-" ? "standard input" : fmt::format("`{}`", options.file);
  std::string text;
  IoError error;
  if (options.file == "-") text = workflow::standard_input().read_all(most), error = workflow::standard_input().error();
  else error = open.fs.read(options.file, text, most);
  std::string problem;
  if (error) problem = fmt::format("can't be read: {}", describe(error));
  else if (text.size() > most) problem = fmt::format("has more than {} bytes", most);
  else {
    const bool is_sarif = options.from == ReportKind::Sarif;
    const remap::Fault fault = is_sarif ? read_sarif(text, findings) : read_kubeconform(text, findings);
    if (!fault) return true;
    problem = fmt::format("isn't a report of {}: {}", is_sarif ? "SARIF 2.1.0" : "kubeconform", *fault);
  }
  console.fail(shown + " " + problem);
  return false;
}

// The values files of the clusters that findings may be about: those with matching names, or all if that isn't enough,
// because a file may have another name than its cluster.
std::vector<std::string> files_of(const std::vector<ForeignFinding>& findings, workflow::OpenProject& open) {
  const Outputs outputs = open.project->outputs();
  std::set<std::string, std::less<>> names;
  bool all = false;
  for (const ForeignFinding& finding : findings) {
    all = all || finding.is_input;
    for (remap::TreePath& path : remap::tree_paths_of(finding.path, outputs)) names.insert(std::move(path.cluster));
  }
  if (names.empty() && !all) return {};
  std::vector<std::string> files = workflow::choose_clusters(open, {});
  std::set<std::string_view> stems;
  for (const std::string& file : files) stems.insert(cluster_stem(file));
  all = all || std::any_of(names.begin(), names.end(), [&](const auto& name) { return !stems.contains(name); });
  if (!all) std::erase_if(files, [&](const std::string& file) { return !names.contains(cluster_stem(file)); });
  return files;
}

using Clusters = std::vector<std::unique_ptr<lint::Cluster>>;

// The findings of all files in one report.
class RemapReport {
 public:
  RemapReport(const Clusters& clusters, bool is_one_of_several, const remap::Remapper& remapper) {
    for (const auto& cluster : clusters) add(*cluster, lint::redactor_of(*cluster), is_one_of_several);
    for (remap::FileOnDisk& disk : remapper.on_disk()) add(*disk.file, std::move(disk.secrets), false);
    findings_.add(remapper.elsewhere(), remapper.elsewhere_sources(), remapper.redactor_elsewhere(), "");
  }

  const report::Findings& findings() const { return findings_; }

 private:
  void add(const lint::Cluster& cluster, secrets::Redactor secrets, bool is_one_of_several) {
    const CompiledCluster* compiled = cluster.compiled();
    const bool names_file = is_one_of_several && compiled != nullptr;
    findings_.add(cluster.sink().diagnostics(), cluster.sources(), std::move(secrets), std::string(cluster.name()),
                  names_file ? std::string_view(compiled->values_path) : std::string_view());
  }

  report::Findings findings_;
};

void say_what_is_stale(const remap::Remapper& remapper, const Console& console) {
  const std::vector<std::string_view> stale = remapper.stale();
  if (stale.empty()) return;
  const std::string others = stale.size() == 1 ? "" : fmt::format(" and {} other files", stale.size() - 1);
  console.say(fmt::format("the tree is stale: `{}`{} on disk {} not up to date; run `capwright render` first",
                          stale.front(), others, stale.size() == 1 ? "is" : "are"));
}

int run_remap(const RemapOptions& options) {
  Console console(options.common);
  workflow::Session session({.repository = options.common,
                             .values = options.values,
                             .plain = options.plain,
                             .writes = false,
                             .output = options.output,
                             .upgrade_set = true});
  workflow::OpenProject& open = session.open();
  if (open.project == nullptr) return std::max<int>(show_faults(open, console), kUsageError);
  std::vector<ForeignFinding> foreign;
  if (!read_report(options, open, console, foreign)) return kUsageError;
  const std::string folder = open.output_folder(options.output);
  OutputTree tree(open.fs, folder, "");
  if (!tree.open(OutputTree::Access::Read, open.sink)) return show_faults(open, console);
  const lint::Context context = session.setup().context(*open.project, false);
  const std::vector<std::string> values = files_of(foreign, open);
  if (open.sink.failed()) return std::max<int>(show_faults(open, console), kUsageError);
  FleetOptions fleet;
  fleet.keep = true;
  fleet.tree = &tree;
  const std::vector<ClusterOutcome> outcomes = compile_fleet(values, *open.project, fleet);
  Clusters clusters;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.cluster->clean()) continue;
    clusters.push_back(std::make_unique<lint::Cluster>(*outcome.cluster, context));
    // `render` reports the findings of the render, so the sinks are cleared for the remapped ones.
    clusters.back()->sink().diagnostics().clear();
  }
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    std::string text;
    if (open.fs.read(folder + "/" + path, text, open.limits.input_bytes)) return std::nullopt;
    return text;
  };
  const Outputs outputs = open.project->outputs();
  remap::Remapper remapper(clusters, outputs, read, options.blame, context);
  for (const ForeignFinding& finding : foreign) remapper.add(finding);
  const RemapReport report(clusters, outcomes.size() > 1, remapper);
  console.show_as_result(report.findings());
  if (!console.flush()) return kUsageError;
  say_what_is_stale(remapper, console);
  const std::size_t errors = report.findings().count(Severity::Error);
  const std::size_t warnings = report.findings().count(Severity::Warning);
  if (const std::string counted = report::summary(errors, warnings); !counted.empty()) console.say(counted);
  return errors + warnings != 0 ? kFindings : kClean;
}

class RemapCommand final : public CommandWith<RemapOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("report", options_.file, "Report of the tool about the rendered tree (default: `-`, standard input)")
        ->type_name("FILE|-");
    add_choice<ReportKind>(app, "--from", options_.from,
                           {{"kubeconform-json", ReportKind::Kubeconform}, {"sarif", ReportKind::Sarif}},
                           "Format of the report")
        ->required();
    app.add_option("-o,--output", options_.output, "Folder that contains `clusters/`")->type_name("DIR");
    add_blame(app, options_.blame);
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common);
  }
  int run() override { return run_remap(options_); }
};

}  // namespace

const CommandInfo remap_command{"remap",
                                "Move findings of other tools from the rendered tree to their source",
                                make_command<RemapCommand>,
                                {{"Map the findings of kubeconform to values and templates",
                                  "kubeconform -output json clusters/ | capwright remap --from kubeconform-json"},
                                 {"Map a SARIF report", "capwright remap --from sarif report.sarif"}}};

}  // namespace capwright::cli
