// `capwright values`: the merged values of a cluster, and which layer set each of them.
#include "diag/catalog/values.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "pipeline/value_sources.h"
#include "report/values_report.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

struct ValuesOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::string cluster;
  std::string key;  // empty: all values
  bool no_origin = false;
};

std::string unknown_value(const CompiledCluster& cluster, std::span<const values::PathStep> path) {
  const std::string typed = report::printable(values::path_text(path));
  if (is_declared(cluster, path)) return fmt::format("`{}` isn't set in {}, and has no default", typed, cluster.name);
  const std::string similar = similar_path(cluster, path);
  return fmt::format("{} has no value `{}`{}", cluster.name, typed,
                     similar.empty() ? "" : fmt::format("; did you mean `{}`?", report::printable(similar)));
}

// Faulty marks of secrets in the schema: what they mark is redacted here, but no mark for other tools.
std::vector<Diagnostic> faulty_marks(const CompiledCluster& cluster) {
  std::vector<Diagnostic> faults;
  if (cluster.set == nullptr) return faults;
  for (const Diagnostic& each : cluster.set->sink.diagnostics()) {
    const bool is_malformed = each.info == &diag::malformed_keyword.info && each.message.starts_with("`x-secret`");
    const bool is_missed = each.info == &diag::misspelt_secret.info || each.info == &diag::unread_schema.info;
    if (is_missed || is_malformed) faults.push_back(each);
  }
  return faults;
}

int run_values(const ValuesOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = options.values,
                                            .plain = options.plain,
                                            .writes = false,
                                            .output = std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const std::vector<std::string> chosen = workflow::choose_clusters(*open, {options.cluster});
  if (chosen.empty()) return show_faults(*open, console);
  const auto cluster = load_cluster(chosen[0], *open->project);
  if (cluster->values.is(Kind::Null)) return show_faults(*cluster, console);
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  std::vector<values::PathStep> path;
  if (!options.key.empty()) path = values::parse_path(options.key, Span(), stage);
  if (open->sink.failed()) return show_faults(*open, console);
  const Value* value = value_at(cluster->values, path);
  if (value == nullptr) {
    console.fail(unknown_value(*cluster, path));
    return kUsageError;
  }
  const auto origins = options.no_origin ? report::Origins::Hidden : report::Origins::Shown;
  console.print(options.common.format == Format::Json
                    ? report::values_json(*cluster, *value, values::path_text(path), origins)
                    : report::values_yaml(*cluster, *value, origins));
  const std::vector<Diagnostic> faults = faulty_marks(*cluster);
  report::Findings findings;
  if (!faults.empty()) findings.add(faults, cluster->set->sources, {}, "");
  console.show_beside(findings.all());
  return console.flush() ? exit_code(findings) : kUsageError;
}

class ValuesCommand final : public CommandWith<ValuesOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("cluster", options_.cluster, "Cluster or values file")->type_name("CLUSTER|FILE")->required();
    app.add_option("key", options_.key, "Print only this value, such as `network.pod_cidrs`")->type_name("KEY");
    app.add_flag("--no-origin", options_.no_origin, "Print only the values, without the places that set them");
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common, {"text", "json"});
  }
  int run() override { return run_values(options_); }
};

}  // namespace

const CommandInfo values_command{"values",
                                 "Print the merged values of a cluster and which file sets each",
                                 make_command<ValuesCommand>,
                                 {{"Print all values of a cluster, and where each is set", "capwright values prod-a"},
                                  {"Print one value as JSON", "capwright values prod-a network -f json"}}};

}  // namespace capwright::cli
