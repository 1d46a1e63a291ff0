// The first candidate: the names and versions of the objects, and example values for everything else. Also what is left
// of these in the result.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <span>
#include <string>

#include "base/ascii.h"
#include "diag/catalog/patches.h"
#include "pipeline/template_set.h"
#include "value/stage.h"
#include "workflow/import_values.h"
#include "yaml/read.h"
#include "yaml/tidy.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

// `import` of the manifest of a set; Null if it has none.
Value import_of(const KnownSet& set, Arena& arena) {
  for (const SetFile& file : set.files) {
    if (file.name != "template.yaml") continue;
    OwnStage own;
    const Value manifest = read_yaml(own.sources.add(file.shown, file.text), own.stage);
    const Value* import = manifest.find("import");
    return import == nullptr ? Value() : copy_of(*import, arena);
  }
  return {};
}

Value merged(const Value& lower, const Value& upper, Arena& arena) {
  if (!lower.is(Kind::Map) || !upper.is(Kind::Map)) return upper;
  Value result = lower;
  for (const Entry& entry : upper.entries()) {
    const Value* known = lower.find(entry.key.text());
    const Value value = known == nullptr ? entry.value : merged(*known, entry.value, arena);
    result = with_value(result, {{std::string(entry.key.text())}}, value, arena);
  }
  return result;
}

std::string scalar_or_json(const Value& value) {
  return value.is(Kind::String) ? std::string(value.text()) : canonical_json(value);
}

// `removes `spec.image` of AWSMachineTemplate `prod-web``, without the place of the patch, which may move.
std::string edit_in(const Diagnostic& diagnostic) {
  for (const std::string& note : diagnostic.notes) {
    for (const std::string_view verb : {" removes ", " replaces "}) {
      if (const std::size_t at = note.find(verb); at != std::string::npos) return note.substr(at + 1);
    }
  }
  return "changes all that it makes";
}

// The place of the last key or item on the way to a value; unknown if there is none.
Span place_of(const Value& root, const TreePath& path, const Stage& stage) {
  const Value* value = &root;
  Span place;
  for (const Step& step : path) {
    const Value* below = find_at(*value, {step});
    if (below == nullptr) return {};
    place = stage.span_of(*below);
    for (const Entry& entry : value->is(Kind::Map) ? value->entries() : std::span<const Entry>()) {
      if (entry.key.text() == step.key) place = stage.span_of(entry.key);
    }
    value = below;
  }
  return place;
}

}  // namespace

ValuesSearch::Origin ValuesSearch::origin_of(std::string_view kind) const {
  Project& project = *session_.open().project;
  for (const std::string_view name : project.names_of_sets()) {
    const KnownSet* known = project.known_set(name);
    if (known == nullptr || known->built_in) continue;
    const Value import = import_of(*known, arena_);
    const Value *kinds = import.find("kinds"), *start = import.find("start");
    if (kinds == nullptr || !has_word(*kinds, kind)) continue;
    const bool is_only_one = project.sets_for(known->provider).size() == 1;
    return {is_only_one ? known->provider : known->id, start == nullptr ? Value() : *start};
  }
  const std::string_view provider = rules_.find("sets")->text_at(kind);
  return {std::string(provider), provider.empty() ? Value() : *rules_.find("start")->find(provider)};
}

std::string ValuesSearch::start() {
  std::string_view type, version;
  Origin origin;
  std::vector<Value> pools;
  for (const ImportedObject& object : imported_.objects) {
    if (Origin known = origin_of(object.kind); !known.provider.empty()) origin = std::move(known);
    if (const auto known = rules_.find("types")->text_at(object.kind); !known.empty()) {
      type = known;
      if (const Value* spec = object.value.find("spec"); spec != nullptr) version = spec->text_at("version");
    }
  }
  if (origin.provider.empty()) return not_rendered("infrastructureRef", "infrastructure");
  if (type.empty()) return not_rendered("controlPlaneRef", "control plane");
  if (!imported_.missing.empty()) return missing_parts();
  const Value start = origin.start.is(Kind::Map) ? origin.start : make_map(arena_, {});
  Value values = make_map(arena_, {});
  const auto set = [&](const std::string& key, const Value& value) {
    values = with_value(values, {{key}}, value, arena_);
  };
  set("schema_version", make_string(arena_, "1"));
  set("cluster_name", make_string(arena_, imported_.name));
  set("namespace", make_string(arena_, imported_.space.empty() ? "default" : imported_.space));
  set("provider", make_string(arena_, origin.provider));
  set("kubernetes_type", make_string(arena_, type));
  for (const ImportedObject& object : imported_.objects) {
    if (!is_pool(object.kind)) continue;
    std::string name(object.name);
    if (name.starts_with(imported_.name + "-")) name.erase(0, imported_.name.size() + 1);
    if (name.size() > 20 || name.empty() || name.find('.') != std::string::npos)
      name = fmt::format("pool-{}", pools.size() + 1);
    pools_[fmt::format("{}-{}", imported_.name, name)] = object.name;
    Value pool = with_value(make_map(arena_, {}), {{"name"}}, make_string(arena_, name), arena_);
    const Value* more = start.find("pool");
    pools.push_back(more == nullptr ? pool : merged(pool, copy_of(*more, arena_), arena_));
    const Value* of_pool = find_at(object.value, {{"spec"}, {"template"}, {"spec"}, {"version"}});
    if (version.empty() && of_pool != nullptr && of_pool->is(Kind::String)) version = of_pool->text();
  }
  if (version.empty()) return "its control plane has no `spec.version`";
  set("kubernetes_version", make_string(arena_, fmt::format("{}{}", version.starts_with('v') ? "" : "v", version)));
  for (const Entry& entry : start.entries()) {
    const std::string_view key = entry.key.text();
    if (key != "pool" && key != "types") set(std::string(key), copy_of(entry.value, arena_));
  }
  const Value* of_type = find_at(start, {{"types"}, {std::string(type)}});
  if (of_type != nullptr) values = merged(values, copy_of(*of_type, arena_), arena_);
  set("worker_pools", make_list(arena_, pools));
  started_ = values;
  best_ = render(values);
  const std::string error = best_.error;
  if (best_.alignment == nullptr) render_minor_version();
  return best_.alignment == nullptr ? error : "";
}

std::string ValuesSearch::not_rendered(std::string_view reference, std::string_view what) const {
  for (const ImportedObject& object : imported_.objects) {
    if (object.kind != "Cluster") continue;
    if (find_at(object.value, {{"spec"}, {"topology"}}) != nullptr)
      return "it has a ClusterClass (`spec.topology`), and such clusters can't be imported";
    const Value* found = find_at(object.value, {{"spec"}, {std::string(reference)}});
    if (found == nullptr) continue;
    const std::string_view kind = found->text_at("kind");
    const bool is_known = !origin_of(kind).provider.empty() || !rules_.find("types")->text_at(kind).empty();
    if (is_known && !imported_.missing.empty()) return missing_parts();
    return fmt::format("no template set renders its {}, {}", what, kind);
  }
  return fmt::format("it has no {}", what);
}

std::string ValuesSearch::missing_parts() const {
  const MissingObject& first = imported_.missing.front();
  if (!first.left_out.empty())
    return fmt::format("{} {}, which {} refers to, isn't imported: {}", first.kind, first.name, first.used_by,
                       first.left_out);
  std::set<std::string> parts, types;
  for (const MissingObject& each : imported_.missing) {
    if (!each.left_out.empty()) continue;
    parts.insert(fmt::format("{} {} of {}", each.kind, each.name, each.used_by));
    types.insert(fmt::format("{}s{}{}", lowered(each.kind), each.group.empty() ? "" : ".", each.group));
  }
  return fmt::format("the manifests lack {}; export {} with `kubectl get {} -n {} -o yaml`", fmt::join(parts, ", "),
                     parts.size() == 1 ? "it" : "them", fmt::join(types, ","), imported_.space);
}

// A managed control plane may choose the patch release itself, and its values name `v1.35` only.
void ValuesSearch::render_minor_version() {
  const std::string version(started_.text_at("kubernetes_version"));
  const std::size_t minor = version.find('.'), patch = version.find('.', minor + 1);
  if (minor == std::string::npos || patch == std::string::npos) return;
  const Value values =
      with_value(started_, {{"kubernetes_version"}}, make_string(arena_, version.substr(0, patch)), arena_);
  Trial trial = render(values);
  if (trial.alignment == nullptr) return;
  started_ = values;
  best_ = std::move(trial);
}

// Whether the add-ons are those of the start, and the manifests have no object of their releases. No byte leads to the
// list, because conditions of the templates read it.
bool ValuesSearch::lacks_addons() const {
  const Value *addons = best_.values.find("addons"), *started = started_.find("addons");
  if (addons == nullptr || started == nullptr || !json_equal(*addons, *started)) return false;
  return std::ranges::none_of(best_.alignment->pairs(), [&](const AlignedPair& pair) {
    if (pair.rendered == nullptr || pair.imported == nullptr) return false;
    return std::ranges::any_of(addons->items(), [&](const Value& id) {
      return pair.rendered->name == fmt::format("{}-{}", imported_.name, id.text());
    });
  });
}

std::vector<std::string> ValuesSearch::unseen() const {
  std::set<OriginId> origins;
  const CompiledCluster& cluster = *best_.side->compiled();
  for (const AlignedPair& pair : best_.alignment->pairs()) {
    if (pair.rendered == nullptr || pair.imported == nullptr) continue;
    for (const Segment& segment : best_.side->makers(pair.rendered->where)) origins.insert(segment.value);
  }
  std::set<TreePath> seen;
  for (const OriginId origin : origins) {
    for (TreePath& path : paths_of(cluster, origin)) seen.insert(std::move(path));
  }
  std::vector<std::string> keys;
  TreePath path;
  visit_leaves(started_, path, [&](const Value& value, const TreePath& at) {
    const Value* now = find_at(cluster.values, at);
    const bool is_choice = is_fixed_key(workflow::text_of(at)) || at[0].key == "secrets" || at[0].key == "addons";
    const bool is_set = now != nullptr && cluster.origins[now->origin()].kind == capwright::Origin::Kind::Input;
    if (is_set && json_equal(*now, value) && !is_choice && !seen.contains(at)) keys.push_back(workflow::text_of(at));
  });
  if (lacks_addons()) keys.emplace_back("addons");
  return keys;
}

// Clusters of one shape have as many objects of each kind, so also as many pools.
std::string ValuesSearch::shape() const {
  std::map<std::string_view, std::size_t> kinds;
  for (const ImportedObject& object : imported_.objects) ++kinds[object.kind];
  std::string shape = fmt::format("{} {}", started_.text_at("provider"), started_.text_at("kubernetes_type"));
  for (const auto& [kind, count] : kinds) shape += fmt::format(" {}={}", kind, count);
  return shape;
}

// `a patch hides `KEY``
TreePath hidden_key(const Diagnostic& finding) {
  const std::size_t begin = finding.message.find('`') + 1, end = finding.message.rfind('`');
  return path_of(std::string_view(finding.message).substr(begin, end - begin));
}

namespace {

// Adds the steps to the key at `where`. Returns whether it was found.
bool find_key(const Value& value, Span where, const OriginTable& origins, TreePath& path) {
  const auto is_below = [&](Step step, const Value& below) {
    path.push_back(std::move(step));
    const bool found = find_key(below, where, origins, path);
    if (!found) path.pop_back();
    return found;
  };
  for (const Entry& entry : value.is(Kind::Map) ? value.entries() : std::span<const Entry>()) {
    if (origins[entry.key.origin()].span == where) {
      path.push_back({std::string(entry.key.text())});
      return true;
    }
    if (is_below({std::string(entry.key.text())}, entry.value)) return true;
  }
  const auto items = value.is(Kind::List) ? value.items() : std::span<const Value>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_below({"", static_cast<int>(i)}, items[i])) return true;
  }
  return false;
}

// The manifests say that the cluster doesn't have what a layer adds, so that isn't a mistake.
void add_dropping_lists(const ValuesSearch& search, const Trial& trial, std::vector<ExampleValue>& examples) {
  const CompiledCluster& compiled = *trial.side->compiled();
  const Value* own = trial.values.find("patches");
  for (const Diagnostic& diagnostic : compiled.sink.diagnostics()) {
    const bool is_here = diagnostic.info == &diag::dropped_items.info && diagnostic.where.known() && own != nullptr &&
                         compiled.sources.path(diagnostic.where.file) == search.path();
    TreePath path{{"patches"}};
    if (!is_here || !find_key(compiled.own.patches, diagnostic.where, compiled.origins, path)) continue;
    // Those of layers come first.
    path[1].index -= static_cast<int>(compiled.own.patches.items().size() - own->items().size());
    const std::string dropped = diagnostic.message.substr(diagnostic.message.find("drops ") + 6);
    ExampleValue& example = examples.emplace_back();
    example.key = workflow::text_of(path);
    example.why = "the manifests lack " + dropped;
    example.is_list = true;
  }
}

// The values of a chart are applied only if an object names their file: a patch may have deleted the Application.
bool is_applied(const RenderedFile& file, const FileSet& files) {
  if (!file.path.ends_with("/values.yaml")) return true;
  const std::string path = files.path_in_cluster(file);
  return std::ranges::any_of(files.files(), [&](const RenderedFile& other) {
    return &other != &file && other.body.text().find(path) != std::string::npos;
  });
}

// The rendered files that something applies, and that have bytes of a value.
std::vector<std::string> files_with(const CompiledCluster& compiled, const Value& value) {
  const Span place = compiled.origins[value.origin()].span;
  std::map<OriginId, bool> known;
  const auto has_value = [&](const Segment& segment) {
    const auto [found, is_new] = known.try_emplace(segment.value, false);
    for (const OriginId leaf : is_new ? compiled.origins.leaves(segment.value) : std::vector<OriginId>())
      found->second |= compiled.origins[leaf].span == place;
    return found->second;
  };
  std::vector<std::string> paths;
  for (const RenderedFile& file : compiled.files.files()) {
    const bool has = std::ranges::any_of(file.body.segments(), has_value);
    if (has && is_applied(file, compiled.files)) paths.push_back(file.path);
  }
  return paths;
}

void add_unseen(const ValuesSearch& search, const Trial& trial, std::vector<ExampleValue>& examples) {
  const CompiledCluster& compiled = *trial.side->compiled();
  for (const std::string& key : search.unseen()) {
    const Value* own = find_at(trial.values, path_of(key));  // without what completes add-ons
    const Value* value = own == nullptr ? find_at(compiled.values, path_of(key)) : own;
    if (value == nullptr) continue;
    ExampleValue& example = examples.emplace_back();
    example.key = key;
    example.value = scalar_or_json(*value);
    example.why = "no manifest shows it";
    if (value->is(Kind::List)) continue;  // `addons`: patches delete what they add
    value = find_at(compiled.values, path_of(key));
    const Span place = compiled.origins[value->origin()].span;
    if (own == nullptr) example.layer = compiled.sources.path(place.file);
    example.files = files_with(compiled, *value);
  }
}

}  // namespace

std::string formatted(const std::string& text) {
  OwnStage own;
  std::string reason;
  return tidied(own.sources.add("values.yaml", text), own.stage, reason).value_or(text);
}

std::vector<ExampleValue> examples_in(const ValuesSearch& search, const Trial& trial) {
  std::vector<ExampleValue> examples;
  add_unseen(search, trial, examples);
  const CompiledCluster& compiled = *trial.side->compiled();
  for (const Diagnostic& diagnostic : compiled.sink.diagnostics()) {
    const bool is_here = diagnostic.info == &diag::hidden_value.info && diagnostic.where.known() &&
                         compiled.sources.path(diagnostic.where.file) == search.path();
    const TreePath key = is_here ? hidden_key(diagnostic) : TreePath();
    const Value* value = is_here ? find_at(trial.values, key) : nullptr;
    if (value == nullptr) continue;
    ExampleValue& example = examples.emplace_back();
    example.key = workflow::text_of(key);
    example.value = scalar_or_json(*value);
    example.why = "it is required, and a patch " + edit_in(diagnostic);
    example.hidden = true;
  }
  add_dropping_lists(search, trial, examples);
  return examples;
}

std::string with_comments(const std::string& text, const std::vector<ExampleValue>& examples) {
  OwnStage own;
  const Value values = read_yaml(own.sources.add("values.yaml", text), own.stage);
  std::map<std::size_t, std::string> comments;  // by the end of the line
  for (const ExampleValue& each : examples) {
    if (!each.hidden && !each.is_list) continue;
    const Span place = place_of(values, path_of(each.key), own.stage);
    if (!place.known()) continue;
    const DiagInfo& info = each.is_list ? diag::dropped_items.info : diag::hidden_value.info;
    comments.emplace(std::min(text.find('\n', place.begin), text.size()),
                     fmt::format("  # capwright: ignore={} -- {}", info.code, each.why));
  }
  std::string result;
  std::size_t from = 0;
  for (const auto& [end, comment] : comments) {
    result.append(text, from, end - from).append(comment);
    from = end;
  }
  return formatted(result.append(text, from));
}

}  // namespace capwright::workflow
