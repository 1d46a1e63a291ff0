// Derives example values from the schema of a set.
#include "workflow/scaffold_set.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "facts/built_in.h"
#include "facts/catalogue.h"
#include "files/workspace.h"
#include "pipeline/repository_bounds.h"
#include "source/real_fs.h"
#include "value/stage.h"
#include "values/examples.h"
#include "yaml/tidy.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

namespace fs = std::filesystem;

// The path that a file of the set has in a repository, if it is one of `sets`' own files: `templates/<id>/<name>` or
// `templates/common/<name>`. Built-in common files belong to each set already.
std::string path_in_repository(const SetFile& file, const std::string& sets) {
  return file.shown.starts_with(sets + "/") ? "templates" + file.shown.substr(sets.size()) : "";
}

// Keys that the two clusters have themselves.
constexpr std::string_view kClusterKeys[] = {"cluster_name", "kubernetes_version", "worker_pools"};

class ExampleValues {
 public:
  explicit ExampleValues(const TemplateSet& set) : set_(set) {
    if (!set.kubernetes_types.empty()) type_ = set.kubernetes_types[0];
  }

  std::string layer() {
    std::vector<Entry> entries{entry("provider", text(set_.id))};
    if (!type_.empty()) entries.push_back(entry("kubernetes_type", text(type_)));
    for (const Entry& required : values::required_examples(set_.schema_document, arena_).entries()) {
      const std::string_view key = required.key.text();
      const auto is_same = [&](const Entry& known) { return known.key.text() == key; };
      const bool is_of_clusters =
          std::find(std::begin(kClusterKeys), std::end(kClusterKeys), key) != std::end(kClusterKeys);
      if (!is_of_clusters && std::none_of(entries.begin(), entries.end(), is_same)) entries.push_back(required);
    }
    // kubeadm brings no network plug-in, an add-on needs a repository, and credentials need a store.
    for (const std::string_view section : {"addons", "secrets", "argocd"}) {
      if (section == "addons" && type_ != "kubeadm") continue;
      if (const auto example = member(section)) entries.push_back(entry(section, *example));
    }
    return "# What all clusters share. Replace the examples by your own.\nschema_version: \"1\"\n" + yaml(entries);
  }

  std::string cluster(std::string_view name, std::int64_t machines) {
    std::vector<Entry> entries{entry("cluster_name", text(name))};
    const BuiltInYaml kubernetes("schemas/catalogue/kubernetes.yaml");
    const std::string_view version = fact(kubernetes.content(), "examples").text_at(type_);
    if (!version.empty()) entries.push_back(entry("kubernetes_version", text(version)));
    std::vector<Value> pools;
    if (const auto pool = pool_of(machines)) pools.push_back(*pool);
    entries.push_back(entry("worker_pools", make_list(arena_, pools)));
    return yaml(entries);
  }

 private:
  Value text(std::string_view bytes) { return make_string(arena_, bytes); }
  Entry entry(std::string_view key, const Value& value) { return {make_key(arena_, key), value}; }

  // Empty also if the set excludes it.
  std::optional<Value> member(std::string_view key) {
    const Value* properties = set_.schema_document.find("properties");
    const Value* schema = properties == nullptr ? nullptr : properties->find(key);
    if (schema == nullptr || !schema->is(Kind::Map)) return std::nullopt;
    return values::example_of(*schema, set_.schema_document, arena_);
  }

  std::optional<Value> pool_of(std::int64_t machines) {
    const Value* properties = set_.schema_document.find("properties");
    const Value* pools = properties == nullptr ? nullptr : properties->find("worker_pools");
    const Value* items = pools == nullptr ? nullptr : pools->find("items");
    const auto example = items == nullptr ? std::nullopt : values::example_of(*items, set_.schema_document, arena_);
    if (!example || !example->is(Kind::Map)) return std::nullopt;
    const auto required = example->entries();
    std::vector<Entry> entries(required.begin(), required.end());
    entries.push_back(entry("count", Value::integer(machines)));
    return make_map(arena_, entries);
  }

  std::string yaml(const std::vector<Entry>& entries) {
    YamlStyle style;
    style.sort_keys = false;
    style.for_go = true;
    MappedText out;
    write_yaml(make_map(arena_, entries), style, Segment(), Limits(), out);
    OwnStage own;
    std::string reason;
    return tidied(own.sources.add("example", std::string(out.text())), own.stage, reason)
        .value_or(std::string(out.text()));
  }

  const TemplateSet& set_;
  std::string type_;  // the first of the set's types
  Arena arena_;
};

}  // namespace

std::optional<KnownSet> read_set(const std::string& folder, std::string& problem) {
  RealFs files;
  const fs::path path = fs::absolute(folder).lexically_normal() / "";
  const std::string sets = path.parent_path().parent_path().string(), id = path.parent_path().filename().string();
  FileStat stat;
  if (files.stat((path / "template.yaml").string(), stat)) {
    problem = fmt::format("`{}` has no `template.yaml`, so it isn't a template set", folder);
    return std::nullopt;
  }
  Config config;
  config.templates = sets;
  Sink sink;
  for (KnownSet& known : known_sets(files, Workspace(), config, sink)) {
    if (known.id != id || known.built_in) continue;
    const auto is_foreign = [&](const SetFile& file) {
      return !is_set_file(file.name) || path_in_repository(file, sets).empty();
    };
    std::erase_if(known.files, is_foreign);
    for (const SetFile& file : known.files) {
      const std::string own = file.shown.substr(0, file.shown.find('/', sets.size() + 1));
      if (is_in(real_path_of(files, file.shown), real_path_of(files, own))) continue;
      problem = fmt::format("`{}` of the template set `{}` is a link that leads out of its folder", file.name, folder);
      return std::nullopt;
    }
    for (SetFile& file : known.files) file.shown = path_in_repository(file, sets);
    if (!sink.failed()) return std::move(known);
  }
  problem = fmt::format("a file of the template set `{}` can't be read", folder);
  return std::nullopt;
}

std::vector<ScaffoldFile> example_values(const TemplateSet& set) {
  ExampleValues values(set);
  const std::string production = "# A production cluster.\n" + values.cluster("prod-a", 3);
  return {{fmt::format("golden/{}/prod/values.yaml", set.id), production},
          {"layers/common.yaml", values.layer()},
          {"values/dev-a.yaml", "# A small cluster for trying changes.\n" + values.cluster("dev-a", 1)},
          {"values/prod-a.yaml", production}};
}

}  // namespace capwright::workflow
