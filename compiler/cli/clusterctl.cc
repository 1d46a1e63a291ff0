// `capwright clusterctl generate`: a cluster from a template of clusterctl, without a management cluster.
#include "workflow/clusterctl.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "pipeline/explain.h"
#include "report/explanation.h"

namespace capwright::cli {
namespace {

struct ClusterctlOptions {
  CommonOptions common;
  workflow::ClusterctlRequest request;
  bool list_variables = false;
  std::optional<std::uint32_t> explain;   // a line of the output
  std::optional<std::string> source_map;  // a file
};

int explain_line(const CompiledCluster& cluster, std::uint32_t number, Console& console) {
  const RenderedFile* file = cluster.files.find("output.yaml");
  const std::vector<ExplainedLine> lines =
      file != nullptr ? explain_lines(cluster, *file, number) : std::vector<ExplainedLine>();
  if (lines.empty()) return console.fail(fmt::format("the output has no line {}", number));
  return console.finish(report::explanation_text(cluster, file->path, lines, 0, console.color()));
}

int run_generate(const ClusterctlOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project(
      {.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = std::nullopt});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const workflow::ClusterctlOutput output =
      workflow::generate_from_template(*open, options.request, options.list_variables);
  if (output.stop) return show_faults(*output.stop, *open, console);
  const CompiledCluster& cluster = *output.cluster;
  if (cluster.sink.failed()) return show_faults(cluster, console);
  if (options.list_variables) console.print(output.variable_list);
  else if (options.explain) return explain_line(cluster, *options.explain, console);
  else
    for (const RenderedFile& file : cluster.files.files()) console.print(file.body.text());
  if (options.source_map) console.save(*options.source_map, report::source_map(cluster));
  return console.finish();
}

void add_clusterctl_options(CLI::App& app, ClusterctlOptions& options) {
  workflow::ClusterctlRequest& request = options.request;
  app.add_option("template", request.templates,
                 "Folder with `cluster-template.yaml` and its flavors, a template, or `-` for standard input")
      ->type_name("FOLDER|FILE|-")
      ->required();
  app.add_option("name", request.cluster_name,
                 "Name of the cluster; without it, variables have no other defaults than those in the template")
      ->type_name("NAME");
  app.add_option("--flavor", request.flavor, "Use `cluster-template-FLAVOR.yaml`")->type_name("FLAVOR");
  app.add_option("--kubernetes-version", request.kubernetes_version, "Set `KUBERNETES_VERSION`")->type_name("VERSION");
  app.add_option("--control-plane-machine-count", request.control_plane_machine_count,
                 "Set `CONTROL_PLANE_MACHINE_COUNT` (default: 1)")
      ->type_name("N");
  app.add_option("--worker-machine-count", request.worker_machine_count, "Set `WORKER_MACHINE_COUNT` (default: 0)")
      ->type_name("N");
  app.add_option("-n,--target-namespace", request.target_namespace, "Set `NAMESPACE` (default: `default`)")
      ->type_name("NAMESPACE");
  add_list(app, "--variables", request.variable_files, "File with variables, such as clusterctl.yaml")
      ->type_name("FILE");
  add_list(app, "--set", request.sets, "Set a variable; overrides files and the environment")->type_name("NAME=VALUE");
  app.add_flag("--env", request.env, "Also use environment variables, as clusterctl does; they override files");
  app.add_flag("--list-variables", options.list_variables, "List the variables of the template instead");
  app.add_option("--explain", options.explain, "Show what made a line of the output instead")->type_name("LINE");
  app.add_option("--source-map", options.source_map, "Also write the source map of the output")->type_name("FILE");
  add_common(app, options.common, {"text", "concise"});
}

class ClusterctlCommand final : public CommandWith<ClusterctlOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    add_clusterctl_options(*app.add_subcommand("generate", "Substitute the variables of a template"), options_);
  }
  int run() override { return run_generate(options_); }

 protected:
  std::string contradiction() const override {
    const workflow::ClusterctlRequest& request = options_.request;
    const bool is_for_cluster =
        request.control_plane_machine_count || request.worker_machine_count || request.target_namespace;
    if (is_for_cluster && !request.cluster_name)
      return "machine counts and `--target-namespace` need the name of the cluster after the template; use `--set` to "
             "set variables without it";
    if (options_.list_variables && (options_.explain || options_.source_map))
      return fmt::format("`--list-variables` and `{}` exclude each other",
                         options_.explain ? "--explain" : "--source-map");
    return {};
  }
};

}  // namespace

const CommandInfo clusterctl_command{
    "clusterctl",
    "Generate clusters from templates of clusterctl",
    make_command<ClusterctlCommand>,
    {{"Generate a cluster, with the variables of a file",
      "capwright clusterctl generate clusterctl/ prod-a --variables clusterctl/variables.yaml"},
     {"List the variables of a flavor",
      "capwright clusterctl generate clusterctl/ prod-a --flavor ha --list-variables"},
     {"Check the result against the schemas of Cluster API",
      "capwright clusterctl generate clusterctl/ prod-a --variables clusterctl/variables.yaml | capwright lint -"}}};

}  // namespace capwright::cli
