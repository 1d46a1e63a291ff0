// A default that a patch replaces isn't reported: no user wrote it.
#include "pipeline/hidden_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog/patches.h"
#include "diag/suggest.h"
#include "pipeline/fleet_names.h"
#include "pipeline/load_values.h"
#include "values/merge.h"

namespace capwright {
namespace {

Value without(const Value& value, std::span<const values::PathStep> path, Arena& arena) {
  const bool is_last = path.size() == 1;
  if (value.is(Kind::List)) {
    std::vector<Value> items(value.items().begin(), value.items().end());
    const auto item = items.begin() + path[0].index;
    if (is_last) items.erase(item);
    else *item = without(*item, path.subspan(1), arena);
    return make_list(arena, items).with_origin(value.origin());
  }
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries()) {
    const bool is_step = entry.key.text() == path[0].key;
    if (!is_step) entries.push_back(entry);
    else if (!is_last) entries.push_back({entry.key, without(entry.value, path.subspan(1), arena)});
  }
  return make_map(arena, entries).with_origin(value.origin());
}

// Whether a comment on its line suppresses a finding about patches.
bool is_accepted(const DiagInfo& info, Span where, const SourceSet& sources) {
  if (!where.known()) return false;
  const std::string_view text = sources.text(where.file);
  const std::string_view line = text.substr(where.begin, text.find('\n', where.begin) - where.begin);
  const std::size_t comment = line.find("capwright: ignore=");
  return comment != std::string_view::npos && line.find(info.code, comment) != std::string_view::npos;
}

// Other clusters with the values of a layer.
struct LayerUsers {
  std::vector<std::string> names;
  bool have_patch = true;  // all of them read the file with the patch, too
};

bool has_file(const SourceSet& sources, std::string_view path) {
  const std::vector<FileId> files = sources.files();
  return std::any_of(files.begin(), files.end(), [&](FileId file) { return sources.path(file) == path; });
}

// Whether one of these layers has an item of `patches` with this file.
bool names_patch(std::span<const Value> layers, std::string_view path) {
  return std::any_of(layers.begin(), layers.end(), [&](const Value& layer) {
    const Value* patches = layer.is(Kind::Map) ? layer.find("patches") : nullptr;
    if (patches == nullptr || !patches->is(Kind::List)) return false;
    return std::any_of(patches->items().begin(), patches->items().end(), [&](const Value& item) {
      return item.is(Kind::Map) && !path.empty() && item.text_at("path") == path;
    });
  });
}

// The first of them, for a message. Encrypted layers stay closed: reading other clusters must not start programs.
LayerUsers users_of(std::string_view layer, std::string_view patch, const ClusterValues& cluster) {
  constexpr std::size_t kMostNames = 3, kMostFiles = 50;  // a fleet may have a thousand, each with such a value
  Project& project = cluster.project;
  LayerUsers users;
  std::size_t files = 0;
  for (const NamedCluster& other : named_clusters(project)) {
    const bool is_same = other.values_path == cluster.path || other.values_path == project.options().meant_path;
    if (is_same) continue;
    if (++files > kMostFiles || users.names.size() == kMostNames) break;
    OwnStage own(project.options().limits);
    const std::vector<Value> layers = layers_of(other.values_path, project, own.stage);
    if (!has_file(own.sources, layer)) continue;
    users.names.push_back(other.name);
    users.have_patch = users.have_patch && (has_file(own.sources, patch) || names_patch(layers, patch));
  }
  return users;
}

class HiddenValues {
 public:
  HiddenValues(const ClusterValues& cluster, std::span<const patch::HiddenInput> hidden, Stage& stage)
      : cluster_(cluster), values_(cluster.values), schema_(cluster.set.schema.get()), stage_(stage) {
    for (const patch::HiddenInput& each : hidden) hidden_.emplace(each.input, &each);
    if (schema_ != nullptr) errors_ = errors_in(values_);
  }

  void find() {
    for (const Entry& entry : values_.entries()) {
      const auto& lists = values::kGrowingLists;
      const bool is_patch = std::find(std::begin(lists), std::end(lists), entry.key.text()) != std::end(lists);
      if (is_patch) continue;
      path_.push_back({entry.key.text(), -1});
      look_below(entry.value, stage_.span_of(entry.key));
      path_.pop_back();
    }
  }

 private:
  // What is in a value, and the first of its hidden parts.
  struct Found {
    std::size_t values = 0, hidden = 0;
    const patch::HiddenInput* first = nullptr;
    Span where;

    void add(const Found& below) {
      values += below.values;
      hidden += below.hidden;
      if (first == nullptr) first = below.first, where = below.where;
    }
    bool is_hidden() const { return hidden != 0 && hidden == values; }
  };

  // The input that sets a value: the last one, because those that a `${reference}` names come before it.
  Found found_at(const Value& scalar) const {
    const std::vector<OriginId> leaves = stage_.origins.leaves(scalar.origin());
    const bool is_input = !leaves.empty() && stage_.origins[leaves.back()].kind == Origin::Kind::Input;
    if (!is_input) return {};
    const auto known = hidden_.find(leaves.back());
    if (known == hidden_.end()) return {1, 0, nullptr, {}};
    const Span where = stage_.origins[leaves.back()].span;
    if (!where.known() || SourceSet::is_shared(where.file)) return {1, 0, nullptr, {}};
    return {1, 1, known->second, where};
  }

  // Reports the hidden parts of a value that isn't hidden as a whole.
  Found look_below(const Value& value, Span key) {
    Found all;
    std::vector<std::pair<values::PathStep, Found>> parts;
    const auto look_at_part = [&](values::PathStep step, const Value& below, Span own_key) {
      path_.push_back(step);
      parts.emplace_back(step, look_below(below, own_key));
      path_.pop_back();
      all.add(parts.back().second);
    };
    if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        look_at_part({"", static_cast<std::int64_t>(i)}, value.items()[i], Span());
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries())
        look_at_part({entry.key.text(), -1}, entry.value, stage_.span_of(entry.key));
    } else {
      all = found_at(value);
    }
    if (all.is_hidden() && key.known() && !SourceSet::is_shared(key.file) && !parts.empty()) all.where = key;
    if (all.is_hidden() && path_.size() > 1) return all;  // reported with what is around it, or by it
    if (all.is_hidden()) report(all);
    for (const auto& [step, part] : parts) {
      if (all.is_hidden() || !part.is_hidden()) continue;
      path_.push_back(step);
      report(part);
      path_.pop_back();
    }
    return all;
  }

  void report(const Found& found) {
    const std::string path = values::path_text(path_);
    Diagnostic& diagnostic = stage_.sink.report(diag::hidden_value, found.where, path);
    const patch::HiddenInput& hidden = *found.first;
    if (hidden.patch.known()) {
      const LineCol at = stage_.sources.line_col(hidden.patch);
      diagnostic.note(fmt::format("the patch at {}:{}:{} {} {}", stage_.sources.path(hidden.patch.file), at.line,
                                  at.column, hidden.removed ? "removes" : "replaces", hidden.field));
    }
    if (hidden.marks) diagnostic.note("only labels and annotations of objects still have the value");
    const std::string_view layer = stage_.sources.path(found.where.file);
    const std::string_view patch = hidden.patch.known() ? stage_.sources.path(hidden.patch.file) : std::string_view();
    // An accepted warning isn't shown, and its advice would read other clusters.
    const bool is_of_layer =
        layer != cluster_.path && !is_accepted(diag::hidden_value.info, found.where, stage_.sources);
    if (is_of_layer) advise_on_layer(layer, patch, path, diagnostic);
    else diagnostic.advise(usual_edit(path));
  }

  std::string usual_edit(const std::string& path) const {
    return is_required() ? fmt::format("remove that from the patch, and set `{}` to the value that you want", path)
                         : fmt::format("remove that from the patch; or remove `{}`, to keep what the patch sets", path);
  }

  // For a value of a layer: other clusters would lose it, too, and some of them may not have the patch.
  void advise_on_layer(std::string_view layer, std::string_view patch, const std::string& path,
                       Diagnostic& diagnostic) {
    const auto [known, is_new] = users_.try_emplace({layer, patch});
    if (is_new) known->second = users_of(layer, patch, cluster_);
    const LayerUsers& users = known->second;
    if (users.names.empty()) {
      diagnostic.advise(usual_edit(path));
      return;
    }
    const std::vector<std::string_view> names(users.names.begin(), users.names.end());
    diagnostic.note(fmt::format("`{}` sets it for other clusters, too, such as {}", layer, list_names(names)));
    // A list replaces that of a layer as a whole.
    const std::string own = path.substr(0, path.find('['));
    if (users.have_patch && is_required()) {
      diagnostic.advise(usual_edit(path));
    } else if (users.have_patch) {
      diagnostic.advise(fmt::format(
          "remove that from the patch; or remove `{}`, if the patch sets the field in all of these clusters", path));
    } else {
      std::string edit = fmt::format("remove that from the patch, and set `{}` in {}", own, cluster_.path);
      if (own != path) edit += ", with all items";
      else if (!is_required()) edit += fmt::format("; or set `{}` to `null` there, to keep what the patch sets", own);
      diagnostic.advise(std::move(edit));
    }
  }

  // Whether the values need the key at the path, also because of what other keys say. Values that are completed, such
  // as add-ons, may have errors anyway.
  bool is_required() const { return schema_ != nullptr && errors_in(without(values_, path_, stage_.arena)) > errors_; }

  std::size_t errors_in(const Value& values) const {
    Sink aside;
    Stage checking{stage_.sources, aside, stage_.arena, stage_.origins, stage_.limits};
    schema::validate(*schema_, schema::apply_defaults(*schema_, values, checking), checking);
    return aside.error_count();
  }

  const ClusterValues& cluster_;
  const Value& values_;
  std::map<std::pair<std::string_view, std::string_view>, LayerUsers>
      users_;  // by the files of the layer and the patch
  std::map<OriginId, const patch::HiddenInput*> hidden_;
  const schema::Schema* schema_;
  Stage& stage_;
  std::size_t errors_ = 0;
  std::vector<values::PathStep> path_;
};

}  // namespace

void report_hidden_values(const ClusterValues& cluster, std::span<const patch::HiddenInput> hidden, Stage& stage) {
  if (!hidden.empty() && cluster.values.is(Kind::Map)) HiddenValues(cluster, hidden, stage).find();
}

std::size_t count_accepted(std::span<const Diagnostic> findings, const SourceSet& sources) {
  return static_cast<std::size_t>(std::ranges::count_if(findings, [&](const Diagnostic& finding) {
    const bool is_of_patch = finding.info == &diag::hidden_value.info || finding.info == &diag::dropped_items.info;
    return is_of_patch && is_accepted(*finding.info, finding.where, sources);
  }));
}

}  // namespace capwright
