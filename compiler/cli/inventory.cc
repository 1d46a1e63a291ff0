// `capwright inventory`: the Ansible inventory of a cluster.
#include "workflow/inventory.h"

#include <cstdint>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "report/inventory_report.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

enum class InventoryForm : std::uint8_t { Yaml, Json };

struct InventoryOptions {
  CommonOptions common;  // its format is that of findings: text
  InventoryForm form = InventoryForm::Yaml;
  workflow::ValueOptions values;
  std::string cluster;
};

int run_inventory(const InventoryOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = options.values,
                                            .plain = std::nullopt,
                                            .writes = false,
                                            .output = std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const std::vector<std::string> chosen = workflow::choose_clusters(*open, {options.cluster});
  if (chosen.empty()) return show_faults(*open, console);
  const auto cluster = load_cluster(chosen[0], *open->project);
  if (!cluster->clean()) return show_faults(*cluster, console);
  Stage stage{cluster->sources, cluster->sink, cluster->arena, cluster->origins, open->limits};
  const report::Inventory inventory = workflow::make_inventory(cluster->values, stage);
  if (cluster->sink.failed()) return show_faults(*cluster, console);
  return console.finish(options.form == InventoryForm::Json ? report::inventory_as_json(inventory, cluster->arena)
                                                            : report::inventory_as_yaml(inventory, cluster->arena));
}

class InventoryCommand final : public CommandWith<InventoryOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("cluster", options_.cluster, "Cluster or values file")->type_name("CLUSTER|FILE")->required();
    add_choice<InventoryForm>(
        app, "-f,--format", options_.form, {{"yaml", InventoryForm::Yaml}, {"json", InventoryForm::Json}},
        "Output format: an inventory file, or what `ansible-inventory --list` prints for it (default: yaml)");
    add_values(app, options_.values);
    add_common_but_format(app, options_.common);
  }
  int run() override { return run_inventory(options_); }
};

}  // namespace

const CommandInfo inventory_command{
    "inventory",
    "Print the Ansible inventory of a cluster",
    make_command<InventoryCommand>,
    {{"Write an inventory file", "capwright inventory prod-a > hosts.yaml"},
     {"Print hosts and variables as `ansible-inventory --list` does", "capwright inventory prod-a -f json"}}};

}  // namespace capwright::cli
