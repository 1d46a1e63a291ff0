// Maps are compared key by key, so that `network` may be partly shared. Lists and scalars move as a whole, as layers
// are merged.
#include "workflow/import_layer.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "files/path_rules.h"
#include "workflow/import_tree.h"
#include "workflow/import_values.h"

namespace capwright::workflow {
namespace {

// `keeps` is at or below `path`, or around it.
bool concerns(std::string_view keeps, std::string_view path) {
  const std::string_view longer = keeps.size() > path.size() ? keeps : path;
  const std::string_view shorter = keeps.size() > path.size() ? path : keeps;
  return longer == shorter || (longer.starts_with(shorter) && longer[shorter.size()] == '.');
}

class CommonValues {
 public:
  // `is_deep`: also parts of maps.
  CommonValues(const Value& kept, bool is_deep) : kept_(kept), is_deep_(is_deep) {}

  // The paths of what all have, in the order of the first.
  std::vector<TreePath> of(std::span<const Value> all) {
    const std::vector<const Value*> roots = [&] {
      std::vector<const Value*> each;
      for (const Value& value : all) each.push_back(&value);
      return each;
    }();
    TreePath path;
    visit(roots, path);
    return std::move(found_);
  }

 private:
  bool stays(const TreePath& path) const {
    const std::string text = workflow::text_of(path);
    if (is_fixed_key(text)) return true;
    return std::any_of(kept_.items().begin(), kept_.items().end(), [&](const Value& keeps) {
      const bool is_inside = keeps.text().size() > text.size();  // a part of it stays
      return concerns(keeps.text(), text) && !(is_deep_ && is_inside);
    });
  }

  void visit(const std::vector<const Value*>& maps, TreePath& path) {
    for (const Entry& entry : maps.front()->entries()) {
      path.push_back({std::string(entry.key.text())});
      visit_key(maps, entry, path);
      path.pop_back();
    }
  }

  void visit_key(const std::vector<const Value*>& maps, const Entry& entry, TreePath& path) {
    if (entry.value.is(Kind::Null) || stays(path)) return;
    std::vector<const Value*> members;
    for (const Value* map : maps) {
      const Value* member = map->find(entry.key.text());
      if (member == nullptr) return;
      members.push_back(member);
    }
    const auto has_keys = [](const Value* each) { return each->is(Kind::Map) && !each->entries().empty(); };
    if (is_deep_ && std::all_of(members.begin(), members.end(), has_keys)) return visit(members, path);
    const auto is_same = [&](const Value* each) { return json_equal(*each, entry.value); };
    if (std::all_of(members.begin(), members.end(), is_same)) found_.push_back(path);
  }

  const Value& kept_;
  bool is_deep_;
  std::vector<TreePath> found_;
};

// `extends` comes after `schema_version`.
Value with_layer(const Value& values, const std::string& path, Arena& arena) {
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  const bool has_version = !entries.empty() && entries.front().key.text() == "schema_version";
  entries.insert(entries.begin() + (has_version ? 1 : 0),
                 {make_key(arena, "extends"), make_string(arena, "../" + path)});
  return make_map(arena, entries);
}

// A digest for each path.
std::vector<std::pair<std::string, Sha256>> files_of(Session& session, const std::string& values_path) {
  std::vector<std::pair<std::string, Sha256>> files;
  const std::unique_ptr<CompiledCluster> compiled = session.render(values_path);
  if (!compiled->clean()) return files;
  for (const RenderedFile& file : compiled->files.files()) files.emplace_back(file.path, file.digest);
  return files;
}

std::string values_path_of(const ClusterImport& cluster) { return fmt::format("values/{}.yaml", cluster.name); }

class Sharing {
 public:
  Sharing(Session& session, std::vector<ClusterImport*> clusters, const std::string& path, Arena& arena)
      : session_(session), clusters_(std::move(clusters)), path_(path), arena_(arena) {}

  // Whether all clusters render the same bytes with these keys in the layer; then they and the layer have them so.
  bool share(const std::vector<TreePath>& keys) {
    Value layer = make_map(arena_, {});
    for (const TreePath& key : keys) layer = with_value(layer, key, *find_at(clusters_.front()->values, key), arena_);
    const std::string text = formatted(values_text(layer, arena_));
    std::vector<Value> shorter;
    std::vector<std::string> texts;
    for (const ClusterImport* cluster : clusters_) {
      Value values = cluster->values;
      for (const TreePath& key : keys) values = without(values, key, arena_);
      shorter.push_back(with_layer(values, path_, arena_));
      texts.push_back(with_comments(values_text(shorter.back(), arena_), cluster->examples));
      if (!is_same(*cluster, text, texts.back())) return false;
    }
    for (std::size_t i = 0; i < clusters_.size(); ++i) {
      clusters_[i]->values = shorter[i];
      clusters_[i]->files[values_path_of(*clusters_[i])] = texts[i];
    }
    layer_ = text;
    return true;
  }

  const std::string& layer() const { return layer_; }

 private:
  bool is_same(const ClusterImport& cluster, const std::string& layer, const std::string& values) {
    const std::string path = values_path_of(cluster);
    session_.edit(path, cluster.files.at(path));
    const auto before = files_of(session_, path);
    session_.edit(path_, layer);
    session_.edit(path, values);
    return !before.empty() && files_of(session_, path) == before;
  }

  Session& session_;
  std::vector<ClusterImport*> clusters_;
  const std::string& path_;
  Arena& arena_;
  std::string layer_;
};

}  // namespace

std::string layer_fault(Session& session, std::string_view path) {
  if (find_path_fault(path, "") || !has_yaml_name(path))
    return "expected the path of a YAML file from the folder of capwright.yaml, such as `layers/imported.yaml`";
  std::vector<std::string> folders = session.open().project->config().values;
  folders.emplace_back("values");
  for (const std::string& folder : folders) {
    if (path.starts_with(folder + "/")) return fmt::format("`{}` has values files of clusters", folder);
  }
  return {};
}

ImportedLayer share_values(Session& session, std::vector<ClusterImport>& imports, const std::string& path,
                           const Value& rules, Arena& arena) {
  std::vector<ClusterImport*> clusters;
  std::vector<Value> values;
  for (ClusterImport& each : imports) {
    if (!each.error.empty()) continue;
    clusters.push_back(&each);
    values.push_back(each.values);
  }
  ImportedLayer layer;
  layer.path = path;
  if (clusters.size() < 2) return layer;
  const Value* own_values = rules.find("own_values");
  std::vector<Value> kept(own_values->items().begin(), own_values->items().end());
  for (const ClusterImport* each : clusters) {
    for (const ExampleValue& example : each->examples) {  // each has a comment about a patch of its cluster
      if (example.hidden) kept.push_back(make_string(arena, example.key));
    }
  }
  const Value kept_list = make_list(arena, kept);
  Sharing sharing(session, clusters, path, arena);
  for (const bool is_deep : {true, false}) {
    const std::vector<TreePath> keys = CommonValues(kept_list, is_deep).of(values);
    if (keys.empty() || !sharing.share(keys)) continue;
    layer.text = sharing.layer();
    for (const TreePath& key : keys) layer.keys.push_back(workflow::text_of(key));
    break;
  }
  return layer;
}

}  // namespace capwright::workflow
