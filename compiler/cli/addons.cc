// `capwright addons`: the catalogue, alone or for one cluster, and the chart values that its templates render.
#include "cli/addons.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/check.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/own_catalogue.h"
#include "report/json_values.h"
#include "workflow/open_project.h"
#include "yaml/read.h"

namespace capwright::cli {
namespace {

struct AddonsOptions {
  enum class Task : std::uint8_t { List, Show, Defaults, HealthSnippet };
  CommonOptions common;
  workflow::ValueOptions values;
  Task task = Task::List;
  std::string id;                      // Show, Defaults
  std::optional<std::string> cluster;  // List, Defaults: a cluster's name or its values file
};

constexpr std::string_view kSchemaPath = "schemas/values/common.schema.json";
constexpr std::string_view kHealthPath = "schemas/catalogue/argocd-health.yaml";

// By id or alias; reports an unknown name with suggestions.
const values::Addon* find_addon(const Catalogue& catalogue, const std::string& name, const Console& console) {
  const values::Addon* addon = catalogue.addons.find_or_alias(name);
  if (addon != nullptr) return addon;
  const std::string suggestion = did_you_mean(name, catalogue.addons.names());
  console.fail(fmt::format("unknown add-on `{}`; {}", name,
                           suggestion.empty() ? "`capwright addons list` shows the add-ons" : suggestion));
  return nullptr;
}

// The project, and the one values file of `target`. Null after reporting an error; `code` has its severity.
std::unique_ptr<workflow::OpenProject> open_for(const AddonsOptions& options, const std::string& templated_addon,
                                                std::string& values_path, int& code, Console& console) {
  auto open =
      workflow::open_project({options.common, options.values, std::nullopt, false, std::nullopt, templated_addon});
  if (open->project != nullptr && open->project->plain_folder()) {
    console.fail("this repository renders its own templates, which have no add-ons of the catalogue");
    code = kUsageError;
    return nullptr;
  }
  if (open->project != nullptr) {
    const std::vector<std::string> chosen = workflow::choose_clusters(*open, {*options.cluster});
    if (!chosen.empty()) {
      values_path = chosen.front();
      return open;
    }
  }
  code = show_faults(*open, console);
  return nullptr;
}

// The catalogue of the repository. Empty after reporting an error.
std::unique_ptr<Catalogue> open_catalogue(const AddonsOptions& options, int& code, Console& console) {
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project != nullptr) return std::make_unique<Catalogue>(open->project->config().catalogue);
  code = show_faults(*open, console);
  return nullptr;
}

int list(const AddonsOptions& options, const Catalogue& catalogue, Console& console) {
  const bool json = options.common.format == Format::Json;
  if (!options.cluster) {
    if (!options.values.files.empty() || !options.values.sets.empty()) {
      console.fail("`--values` and `--set` need a cluster: add `--cluster NAME`");
      return kUsageError;
    }
    const std::vector<AddonRow> rows = addon_rows(catalogue);
    console.print(json ? addon_list_json(catalogue, rows, "") : addon_list_text(rows));
    return console.finish();
  }
  std::string values_path;
  int code = kClean;
  const auto open = open_for(options, "", values_path, code, console);
  if (open == nullptr) return code;
  const auto cluster = load_cluster(values_path, *open->project);
  if (!cluster->clean()) return show_faults(*cluster, console);
  const std::vector<AddonRow> rows = addon_rows(catalogue, *cluster);
  console.print(json ? addon_list_json(catalogue, rows, cluster->name) : addon_list_text(rows));
  return console.finish();
}

int show(const AddonsOptions& options, const Catalogue& catalogue, Console& console) {
  const values::Addon* addon = find_addon(catalogue, options.id, console);
  if (addon == nullptr) return kUsageError;
  console.print(options.common.format == Format::Json ? addon_page_json(catalogue, *addon)
                                                      : addon_page_text(catalogue, *addon));
  return console.finish();
}

// {"version": 1, "cluster", "id", "path", "values"}.
std::string defaults_json(const CompiledCluster& cluster, std::string_view id, const RenderedFile& file) {
  Arena arena;
  std::vector<Entry> entries{{make_key(arena, "version"), Value::integer(1)}};
  const auto add = [&](std::string_view key, std::string_view text) {
    entries.push_back({make_key(arena, key), make_string(arena, text)});
  };
  add("cluster", cluster.name);
  add("id", id);
  add("path", file.path);
  add("values", file.body.text());
  return report::as_pretty_json(make_map(arena, entries));
}

int defaults(const AddonsOptions& options, const Catalogue& catalogue, Console& console) {
  const values::Addon* addon = find_addon(catalogue, options.id, console);
  if (addon == nullptr) return kUsageError;
  if (!addon->has_chart) {
    console.fail(fmt::format(
        "add-on `{}` has no chart and no values; it is installed from the manifest {}", addon->id,
        addon->manifest.empty() ? fmt::format("addons/{}/manifests/", addon->id) : std::string(addon->manifest)));
    return kUsageError;
  }
  std::string values_path;
  int code = kClean;
  const auto open = open_for(options, std::string(addon->id), values_path, code, console);
  if (open == nullptr) return code;
  const auto cluster = compile_cluster(values_path, *open->project);
  const RenderedFile* file =
      cluster->files.find(fmt::format("clusters/{}/addons/{}/values.yaml", cluster->name, addon->id));
  if (!cluster->clean()) return show_faults(*cluster, console);
  if (file == nullptr) {
    console.fail(fmt::format("template set `{}` renders no values of `{}`", cluster->set->id, addon->id));
    return kUsageError;
  }
  CW_CHECK(!file->secret, "chart values with a secret in them are refused");
  console.print(options.common.format == Format::Json ? defaults_json(*cluster, addon->id, *file) : file->body.text());
  return console.finish();
}

int run_addons(const AddonsOptions& options) {
  Console console(options.common);
  int code = kClean;
  const auto catalogue = open_catalogue(options, code, console);
  if (catalogue == nullptr) return code;
  switch (options.task) {
    case AddonsOptions::Task::List: return list(options, *catalogue, console);
    case AddonsOptions::Task::Show: return show(options, *catalogue, console);
    case AddonsOptions::Task::Defaults: return defaults(options, *catalogue, console);
    case AddonsOptions::Task::HealthSnippet: return console.finish(health_checks(catalogue->addons));
  }
  return kUsageError;
}

class AddonsCommand final : public CommandWith<AddonsOptions> {
 public:
  void add_options(CLI::App& app) override {
    using Task = AddonsOptions::Task;
    app.require_subcommand(1);
    const auto task = [&](const char* name, Task which, const char* help) {
      CLI::App* command = app.add_subcommand(name, help);
      command->callback([this, which] { options_.task = which; });
      if (which != Task::HealthSnippet) add_common(*command, options_.common, {"text", "concise", "json"});
      if (which == Task::Show || which == Task::Defaults)
        command->add_option("id", options_.id, "Add-on")->type_name("ADDON")->required();
      return command;
    };
    const auto cluster = [&](CLI::App& command, const char* help) {
      add_values(command, options_.values);
      return command.add_option("--cluster", options_.cluster, help)->type_name("CLUSTER|FILE");
    };
    CLI::App* list = task("list", Task::List, "List the add-ons that values can name");
    cluster(*list, "Show which add-ons this cluster has, which it could have, and why not the others");
    task("show", Task::Show, "Show one add-on of the catalogue");
    CLI::App* defaults = task("defaults", Task::Defaults, "Print the chart values of an add-on for a cluster");
    cluster(*defaults, "Cluster to print the values for")->required();
    task("health-snippet", Task::HealthSnippet,
         "Print the health check that makes Argo CD wait between waves, for argocd-cm");
  }
  int run() override { return run_addons(options_); }
};

}  // namespace

Catalogue::Catalogue(const OwnCatalogue& own) {
  Stage stage{sources, sink, arena, origins, limits};
  const Value document = addon_facts(own, stage);
  addons = values::read_addon_catalogue(document);
  as_of = document.find("as_of")->text();
  schema = read_yaml(sources.add(std::string(kSchemaPath), std::string(built_in_text(kSchemaPath))), stage);
}

std::string health_checks(const values::AddonCatalogue& catalogue) {
  std::string text(built_in_text(kHealthPath));
  for (const values::Addon& addon : catalogue.addons) {
    const Value* health = addon.entry.find("health");
    for (const Entry& check : health != nullptr ? health->entries() : std::span<const Entry>()) {
      std::string kind(check.key.text());
      kind.replace(kind.find('/'), 1, "_");
      text += fmt::format("  resource.customizations.health.{}: |\n", kind);
      for (std::string_view rest = check.value.text(); !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (!line.empty()) text += fmt::format("    {}\n", line);
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      }
    }
  }
  return text;
}

const CommandInfo addons_command{
    "addons",
    "Show the add-on catalogue",
    make_command<AddonsCommand>,
    {{"List the add-ons that a cluster could have", "capwright addons list --cluster prod-a"},
     {"Describe an add-on", "capwright addons show cilium"},
     {"Print its chart values for a cluster", "capwright addons defaults cilium --cluster prod-a"},
     {"Make Argo CD wait between waves", "capwright addons health-snippet > argocd-health.yaml"}}};

}  // namespace capwright::cli
