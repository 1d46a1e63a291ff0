// Looks up the variables of a clusterctl template in the values of a cluster.
#include "pipeline/envsubst_set.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "diag/catalog/envsubst.h"
#include "diag/suggest.h"
#include "pipeline/value_sources.h"

namespace capwright {
namespace {

// The variables that `clusterctl generate cluster` sets by its arguments and options.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOptions{{
    {"CLUSTER_NAME", "cluster_name"},
    {"CONTROL_PLANE_MACHINE_COUNT", "control_plane_count"},
    {"KUBERNETES_VERSION", "kubernetes_version"},
    {"NAMESPACE", "namespace"},
    {"WORKER_MACHINE_COUNT", "worker_pools[0].count"},
}};

std::string path_for(std::string_view variable) {
  for (const auto& [name, path] : kOptions) {
    if (name == variable) return std::string(path);
  }
  return lowered(variable);
}

// Also those that only occur in the default of another one, which envsubst::variables() leaves out.
void add_names(const envsubst::Template& nodes, std::set<std::string_view>& names) {
  for (const envsubst::Node& node : nodes) {
    if (!node.is_text) names.insert(node.name);
    add_names(node.arguments, names);
  }
}

bool is_text_of(const envsubst::Node& node, std::string_view wanted, const SourceSet& sources) {
  return std::any_of(node.pieces.begin(), node.pieces.end(),
                     [&](Span piece) { return sources.text(piece).find(wanted) != std::string_view::npos; });
}

// Values of the template's variables, as text.
class Settings {
 public:
  Settings(const EnvsubstTemplate& set, const Value& values, Stage& stage) {
    for (const EnvsubstTemplate::Variable& variable : set.variables) {
      const auto path = values::parse_path(variable.path, variable.where, stage);
      const Value* value = value_at(values, path);
      if (value == nullptr || value->is(Kind::Null)) continue;
      const Value text = make_string(stage.arena, envsubst::variable_text(*value));
      found_.emplace(variable.name, text.with_origin(value->origin()).with_taint(value->tainted()));
    }
  }

  std::optional<envsubst::Setting> find(std::string_view name) const {
    const auto found = found_.find(name);
    if (found == found_.end()) return std::nullopt;
    return envsubst::Setting{found->second.text(), found->second.origin(), found->second.tainted()};
  }

 private:
  std::map<std::string_view, Value> found_;
};

// Names the values to set; clusterctl's words name the variables.
bool has_all(const EnvsubstTemplate& set, const Settings& settings, Stage& stage) {
  std::vector<envsubst::Variable> missing;
  for (envsubst::Variable& variable : envsubst::variables(set.parsed, stage.sources)) {
    if (variable.fallback.empty() && !settings.find(variable.name)) missing.push_back(std::move(variable));
  }
  if (missing.empty()) return true;
  std::map<std::string_view, std::string_view> known;
  for (const EnvsubstTemplate::Variable& variable : set.variables) known.emplace(variable.name, variable.path);
  std::string names, paths;
  for (const envsubst::Variable& variable : missing) {
    names += (names.empty() ? "" : ", ") + variable.name;
    paths += fmt::format("{}`{}`", paths.empty() ? "" : ", ", known[variable.name]);
  }
  stage.sink.report(diag::variables_not_set, missing.front().where, names)
      .advise(fmt::format("set {} in the values, or map {} to other values in `variables` of the set's template.yaml",
                          paths, missing.size() == 1 ? "the variable" : "the variables"));
  return false;
}

// The line that puts everything into one file.
MappedText file_marker(const EnvsubstTemplate& set, const Value& values) {
  const Segment literal{.where = {set.file, 0, 0}, .literal = true};
  MappedText text;
  text.append("# FILE: clusters/", literal);
  const Value* name = values.find("cluster_name");
  text.append(values.text_at("cluster_name"), Segment{.where = literal.where, .value = name->origin()});
  text.append("/cluster.yaml\n", literal);
  return text;
}

std::vector<std::string_view> secret_texts(const MappedText& text, Arena& arena) {
  std::vector<std::string_view> texts;
  const auto segments = text.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::size_t end = i + 1 < segments.size() ? segments[i + 1].begin : text.size();
    if (!segments[i].tainted) continue;
    texts.push_back(make_string(arena, text.text().substr(segments[i].begin, end - segments[i].begin)).text());
  }
  return texts;
}

}  // namespace

EnvsubstTemplate read_envsubst_template(FileId file, const Value& manifest, Stage& stage) {
  EnvsubstTemplate set;
  set.file = file;
  auto parsed = envsubst::parse(file, stage);
  if (!parsed) return set;
  set.parsed = std::move(*parsed);
  std::set<std::string_view> names;
  add_names(set.parsed, names);
  for (const std::string_view name : names) set.variables.push_back({std::string(name), path_for(name), Span()});
  const Value* mapped = manifest.find("variables");
  if (mapped == nullptr || !mapped->is(Kind::Map)) return set;
  for (const Entry& entry : mapped->entries()) {
    auto& all = set.variables;
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == entry.key.text(); });
    if (known == all.end()) {
      stage.sink.report(diag::unused_variable_mapping, stage.span_of(entry.key), entry.key.text())
          .advise(did_you_mean(entry.key.text(), std::vector<std::string_view>(names.begin(), names.end())));
    } else if (entry.value.is(Kind::String)) {
      known->path = std::string(entry.value.text());
      known->where = stage.span_of(entry.value);
      values::parse_path(known->path, known->where, stage);
    }
  }
  return set;
}

jinja::RenderResult render_envsubst(const EnvsubstTemplate& set, const Value& values, Stage& stage) {
  jinja::RenderResult result;
  result.trace.emplace_back().what = "template";
  const Settings settings(set, values, stage);
  if (!has_all(set, settings, stage)) return result;
  const auto lookup = [&](std::string_view name) { return settings.find(name); };
  const MappedText body = envsubst::substitute(set.parsed, lookup, stage);
  const bool has_marker = std::any_of(set.parsed.begin(), set.parsed.end(), [&](const envsubst::Node& node) {
    return node.is_text && is_text_of(node, "# FILE:", stage.sources);
  });
  if (!has_marker) result.text = file_marker(set, values);
  result.text.append(body.text(), body.segments());
  result.secret_texts = secret_texts(result.text, stage.arena);
  return result;
}

}  // namespace capwright
