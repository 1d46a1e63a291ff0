// `capwright import`: existing manifests become values, patches and resources.
#include "workflow/import.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "report/diff_words.h"
#include "workflow/import_layer.h"
#include "workflow/standard_input.h"
#include "yaml/read.h"

namespace capwright::cli {
namespace {

struct ImportOptions {
  CommonOptions common;
  std::vector<std::string> sources;
  std::string layer;
  bool prove = false, dry_run = false, force = false;
};

using workflow::ClusterImport;
using workflow::FieldFate;
using workflow::ImportedLayer;

constexpr int kDeepestFolder = 16;

bool is_manifest(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

class Reader {
 public:
  Reader(workflow::OpenProject& open, workflow::ImportedManifests& manifests) : open_(open), manifests_(manifests) {}

  // Returns why a source can't be read; otherwise empty. Errors in its text go to the sink of the repository.
  std::string read(const std::string& source) {
    if (source == "-") return take("standard input", workflow::standard_input().read_all(open_.limits.input_bytes));
    FileStat stat;
    if (const IoError error = open_.fs.stat(source, stat)) return unreadable(source, error);
    return stat.type == FileType::Directory ? read_folder(source, kDeepestFolder) : read_file(source);
  }

 private:
  static std::string unreadable(const std::string& path, IoError error) {
    return fmt::format("`{}` can't be read: {}", report::printable(path), describe(error));
  }

  std::string read_file(const std::string& path) {
    std::string text;
    if (const IoError error = open_.fs.read(path, text, open_.limits.input_bytes)) return unreadable(path, error);
    return take(path, std::move(text));
  }

  std::string read_folder(const std::string& path, int depth) {
    std::vector<DirEntry> entries;
    if (const IoError error = open_.fs.list(path, entries)) return unreadable(path, error);
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      const std::string below = path + "/" + entry.name;
      std::string fault;
      if (entry.type == FileType::Directory && depth > 0) fault = read_folder(below, depth - 1);
      else if (entry.type == FileType::Regular && is_manifest(entry.name)) fault = read_file(below);
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string take(const std::string& shown, std::string text) {
    if (text.size() > open_.limits.input_bytes)
      return fmt::format("`{}` has more than {} bytes", report::printable(shown), open_.limits.input_bytes);
    std::string fault = manifests_.add(report::printable(shown), text);
    if (fault.empty()) return fault;
    const TextSyntax syntax = text.starts_with('{') ? TextSyntax::Json : TextSyntax::Yaml;
    const FileId file = open_.sources.add(shown, std::move(text));
    Stage stage{open_.sources, open_.sink, open_.arena, open_.origins, open_.limits};
    static_cast<void>(read_yaml_documents(file, stage, {ScalarRules::Kubernetes, syntax}));
    return fault;
  }

  workflow::OpenProject& open_;
  workflow::ImportedManifests& manifests_;
};

std::size_t count_of(const ClusterImport& cluster, FieldFate fate) {
  const auto found = cluster.fields.find(fate);
  return found == cluster.fields.end() ? 0 : found->second;
}

// The number of converted objects by their versions: "from cluster.x-k8s.io/v1beta1 to v1beta2".
std::map<std::string, std::size_t> conversions_of(const ClusterImport& cluster) {
  std::map<std::string, std::size_t> counts;
  for (const workflow::ConvertedObject& each : cluster.converted)
    ++counts[fmt::format("from {} to {}", each.from, each.to.substr(each.to.find('/') + 1))];
  return counts;
}

// Most objects only get the annotations of the templates.
bool changes_only_annotations(const plan::Action& action) {
  return action.verb == plan::Verb::InPlace && std::ranges::all_of(action.reasons, [](const plan::Reason& reason) {
           const std::string& path = reason.change.path;
           return path == "metadata.annotations" || path.starts_with("metadata.annotations[");
         });
}

std::string proof_of(const ClusterImport& cluster) {
  std::string text =
      fmt::format("  {} of {} machines replaced\n", cluster.replaced(), plan::text_of(cluster.plan.machines));
  const auto annotated =
      static_cast<std::size_t>(std::ranges::count_if(cluster.plan.actions, changes_only_annotations));
  if (annotated != 0)
    text += fmt::format("  in-place {}: `metadata.annotations`\n", report::counted(annotated, "object"));
  for (const plan::Action& action : cluster.plan.actions) {
    if (changes_only_annotations(action)) continue;
    text += fmt::format("  {} {}\n", plan::verb_name(action.verb), plan::text_of(action.target));
    for (const plan::Reason& reason : action.reasons)
      text += fmt::format("    {} {}\n", reason.object, reason.change.path);
  }
  return text;
}

// Whether it has to be replaced, and where it is.
std::string text_of(const workflow::ExampleValue& example) {
  if (example.hidden) return fmt::format("  `{}: {}` has no effect: {}\n", example.key, example.value, example.why);
  const std::string from = example.layer.empty() ? "" : fmt::format(" in {}", example.layer);
  if (example.key == "addons")
    return fmt::format("  `{}: {}` may stay: {}, and patches delete what it adds\n", example.key, example.value,
                       example.why);
  if (example.files.empty())
    return fmt::format("  `{}: {}`{} may stay: {}, and no object has it\n", example.key, example.value, from,
                       example.why);
  return fmt::format("  set `{}`: {}, so {} has the example value `{}`{}\n", example.key, example.why,
                     example.files.front(), example.value, from);
}

std::string text_of(const ClusterImport& cluster, bool proves) {
  if (!cluster.error.empty()) return fmt::format("{}: not imported: {}\n", cluster.name, cluster.error);
  std::string text = fmt::format("{}: {} by values, {} by patches, {} by resources, {} dropped, {} lost\n",
                                 cluster.name, report::counted(count_of(cluster, FieldFate::Rendered), "field"),
                                 count_of(cluster, FieldFate::Patched), count_of(cluster, FieldFate::Resource),
                                 count_of(cluster, FieldFate::Dropped), count_of(cluster, FieldFate::Lost));
  for (const auto& [versions, count] : conversions_of(cluster))
    text += fmt::format("  converted {} {}\n", report::counted(count, "object"), versions);
  for (const auto& [path, content] : cluster.files) text += fmt::format("  {}\n", path);
  for (const workflow::ExampleValue& each : cluster.examples) {
    if (!each.is_list) text += text_of(each);
  }
  for (const workflow::FieldAccount& each : cluster.accounts) {
    if (each.fate == FieldFate::Lost) text += fmt::format("  lost: {} {}\n", each.object, each.path);
  }
  if (!cluster.removed.empty())
    text += fmt::format("  patches delete what the manifests lack: {}\n", fmt::join(cluster.removed, ", "));
  return proves ? text + proof_of(cluster) : text;
}

nlohmann::ordered_json json_of(const ClusterImport& cluster) {
  nlohmann::ordered_json json{{"cluster", cluster.name}};
  if (!cluster.error.empty()) {
    json["error"] = cluster.error;
    return json;
  }
  for (const FieldFate fate :
       {FieldFate::Rendered, FieldFate::Patched, FieldFate::Resource, FieldFate::Dropped, FieldFate::Lost})
    json["fields"][workflow::fate_name(fate)] = count_of(cluster, fate);
  json["converted"] = nlohmann::ordered_json::array();
  for (const workflow::ConvertedObject& each : cluster.converted)
    json["converted"].push_back({{"object", each.object}, {"from", each.from}, {"to", each.to}});
  json["files"] = nlohmann::ordered_json::array();
  for (const auto& [path, content] : cluster.files) json["files"].push_back(path);
  json["accounts"] = nlohmann::ordered_json::array();
  for (const workflow::FieldAccount& each : cluster.accounts)
    json["accounts"].push_back({{"object", each.object},
                                {"path", each.path},
                                {"fields", each.fields},
                                {"by", workflow::fate_name(each.fate)}});
  json["unset"] = nlohmann::ordered_json::array();
  json["examples"] = nlohmann::ordered_json::array();
  for (const workflow::ExampleValue& each : cluster.examples) {
    if (each.is_list) continue;
    json["unset"].push_back(each.key);
    nlohmann::ordered_json example{{"key", each.key}, {"value", each.value}, {"why", each.why}};
    example["may_stay"] = each.files.empty();
    if (!each.layer.empty()) example["layer"] = each.layer;
    example["rendered"] = each.files;
    json["examples"].push_back(std::move(example));
  }
  json["removed"] = cluster.removed;
  json["existing_names"] = cluster.existing_names;
  json["renders"] = cluster.renders;
  json["machines"] = cluster.plan.machines.least;
  json["replaced"] = cluster.replaced();
  json["proven"] = cluster.is_proven();
  json["actions"] = nlohmann::ordered_json::array();
  for (const plan::Action& action : cluster.plan.actions)
    json["actions"].push_back({{"verb", plan::verb_name(action.verb)}, {"target", plan::text_of(action.target)}});
  return json;
}

std::string as_json(const std::vector<ClusterImport>& clusters, const ImportedLayer& layer,
                    const workflow::ImportedManifests& manifests) {
  nlohmann::ordered_json json{{"version", 1}, {"clusters", nlohmann::ordered_json::array()}};
  for (const ClusterImport& each : clusters) json["clusters"].push_back(json_of(each));
  if (!layer.path.empty()) json["layer"] = {{"file", layer.path}, {"keys", layer.keys}};
  json["left_out"] = nlohmann::ordered_json::array();
  for (const workflow::LeftOut& each : manifests.left_out())
    json["left_out"].push_back({{"object", each.object}, {"why", each.why}});
  return json.dump(2) + "\n";
}

std::string text_of(const ImportedLayer& layer) {
  if (layer.text.empty()) return fmt::format("{}: not written, because no values are shared\n", layer.path);
  std::string text =
      fmt::format("{}: {} that all clusters share\n", layer.path, report::counted(layer.keys.size(), "value"));
  for (const std::string& key : layer.keys) text += fmt::format("  {}\n", key);
  return text;
}

std::string as_text(const std::vector<ClusterImport>& clusters, const ImportedLayer& layer,
                    const workflow::ImportedManifests& manifests, bool proves) {
  std::string text;
  std::int64_t replaced = 0;
  plan::MachineCount machines;
  for (const ClusterImport& each : clusters) {
    text += text_of(each, proves);
    replaced += each.replaced();
    machines += each.plan.machines;
  }
  if (!layer.path.empty()) text += text_of(layer);
  for (const workflow::LeftOut& each : manifests.left_out())
    text += fmt::format("not imported: {}: {}\n", each.object, each.why);
  if (proves) text += fmt::format("{} of {} machines replaced\n", replaced, plan::text_of(machines));
  return text;
}

// Why there may be no cluster.
std::string notes_of(const workflow::ImportedManifests& manifests) {
  std::string text;
  for (const workflow::LeftOut& each : manifests.left_out())
    text += fmt::format("\nnote: not imported: {}: {}", each.object, each.why);
  return text;
}

int run_import(const ImportOptions& options) {
  Console console(options.common);
  workflow::Session session({.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = {}});
  workflow::OpenProject& open = session.open();
  if (open.project == nullptr) return std::max<int>(show_faults(open, console), kUsageError);
  session.load_schemas();
  if (session.tree() == nullptr || open.sink.failed()) return std::max<int>(show_faults(open, console), kUsageError);
  if (!options.layer.empty()) {
    const std::string fault = workflow::layer_fault(session, options.layer);
    if (!fault.empty()) return console.fail(fmt::format("--layer {}: {}", report::printable(options.layer), fault));
  }
  workflow::ImportedManifests manifests(open.limits);
  Reader reader(open, manifests);
  for (const std::string& source : options.sources) {
    const std::string fault = reader.read(source);
    if (open.sink.failed()) return std::max<int>(show_faults(open, console), kUsageError);
    if (!fault.empty()) return console.fail(fault);
  }
  if (const std::string fault = manifests.group(); !fault.empty()) return console.fail(fault);
  if (manifests.clusters().empty())
    return console.fail("the manifests have no Cluster of `cluster.x-k8s.io`" + notes_of(manifests));
  std::vector<ClusterImport> imports = workflow::import_clusters(session, manifests);
  const ImportedLayer layer = options.layer.empty() ? ImportedLayer{}
                                                    : workflow::share_values(session, imports, options.layer,
                                                                             manifests.rules(), manifests.arena());
  if (!options.dry_run) {
    if (const auto stop = workflow::write_import(session, imports, layer, options.force))
      return console.fail(stop->messages.front());
  }
  const bool is_json = options.common.format == Format::Json;
  console.print(is_json ? as_json(imports, layer, manifests) : as_text(imports, layer, manifests, options.prove));
  if (!console.flush()) return kUsageError;
  const auto is_done = [&](const ClusterImport& each) {
    return each.error.empty() && (!options.prove || each.is_proven());
  };
  return std::all_of(imports.begin(), imports.end(), is_done) ? kClean : kFindings;
}

class ImportCommand final : public CommandWith<ImportOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("source", options_.sources, "Manifests: files, folders, or `-` for standard input")
        ->type_name("FILE|DIR|-")
        ->required();
    app.add_flag("--prove", options_.prove,
                 "Plan from the imported objects to the render; fail if anything but a "
                 "change in place happens");
    app.add_option("--layer", options_.layer,
                   "Move values that all imported clusters have into this layer, such as `layers/imported.yaml`")
        ->type_name("FILE");
    app.add_flag("--dry-run", options_.dry_run, "Write no files");
    app.add_flag("--force", options_.force, "Overwrite existing files");
    add_common(app, options_.common, {"text", "json"});
  }
  int run() override { return run_import(options_); }
};

}  // namespace

const CommandInfo import_command{"import",
                                 "Turn manifests of existing clusters into values, patches and resources",
                                 make_command<ImportCommand>,
                                 {{"Import a cluster from its manifests, and prove that no machine is replaced",
                                   "capwright import --prove manifests/"}}};

}  // namespace capwright::cli
