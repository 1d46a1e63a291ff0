// Each stage takes the values that the one before it gave. A stage whose input has errors is not run: what it would
// say follows from them.
#include "pipeline/load_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "diag/catalog/layers.h"
#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "pipeline/check_ranges.h"
#include "pipeline/layers.h"
#include "pipeline/other_layers.h"
#include "pipeline/read_source.h"
#include "schema/schema.h"
#include "value/restamp.h"
#include "values/aliases.h"
#include "values/complete_addons.h"
#include "values/copies.h"
#include "values/merge.h"
#include "values/normalize.h"
#include "values/references.h"
#include "values/templated_addon.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr std::string_view kSchemaVersions[] = {"1"};

bool check_schema_version(const Value& values, Stage& stage) {
  const Value* version = values.find("schema_version");
  if (version == nullptr) return true;  // a wizard's flat form
  if (version->is(Kind::String)) {
    const auto known = std::find(std::begin(kSchemaVersions), std::end(kSchemaVersions), version->text());
    if (known != std::end(kSchemaVersions)) return true;
  }
  const std::string_view written = stage.sources.text(stage.span_of(*version));
  const std::string known = fmt::format("`\"{}\"`", fmt::join(kSchemaVersions, "\"` or `\""));
  Diagnostic& diagnostic =
      stage.sink.report(diag::unknown_schema_version, stage.span_of(*version), "`" + std::string(written) + "`", known);
  if (version->is(Kind::Int)) diagnostic.advise("quote it: `schema_version: \"" + std::string(written) + "\"`");
  return false;
}

// The set that `provider` names, with its sources made known to the cluster.
const TemplateSet* choose_set(const Value& values, const CompiledCluster& cluster, Project& project, Stage& stage) {
  const Value* provider = values.find("provider");
  if (provider == nullptr) {
    const auto& folders = project.config().values;
    const bool is_elsewhere = std::none_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return cluster.values_path.starts_with(folder + "/");
    });
    Diagnostic& diagnostic = stage.sink.report(diag::missing_provider, Span(), cluster.values_path);
    if (is_elsewhere) {
      diagnostic.note(
          fmt::format("it isn't in a values folder (`{}`), and it isn't a manifest because it has no `kind`",
                      fmt::join(folders, "`, `")));
    }
    diagnostic.advise("add one, such as `provider: openstack`; known sets: " + list_names(project.names_of_sets(), 20) +
                      "; for a plain template folder, use `--template-dir DIR --main FILE`");
    return nullptr;
  }
  const std::string_view name = values.text_at("provider");
  const TemplateSet* set = project.template_set(name);
  if (set == nullptr) {
    const std::vector<std::string_view> names = project.names_of_sets();
    const std::string suggestion = did_you_mean(name, names);
    stage.sink.report(diag::unknown_provider, stage.span_of(*provider), std::string(name))
        .advise(suggestion.empty() ? "known: " + list_names(names, 20) : suggestion);
    return nullptr;
  }
  std::vector<std::string_view> rivals = project.sets_for(name);
  if (name == set->id || rivals.size() < 2) return set;
  const std::string all = fmt::format("{}", fmt::join(rivals, "` and `"));
  std::erase(rivals, set->id);
  stage.sink.report(diag::ambiguous_provider, stage.span_of(*provider), std::string(name), "`" + all + "`", set->id)
      .advise(
          fmt::format("name the set: `provider: {}` for the other one, or `provider: {}`", rivals.front(), set->id));
  return set;
}

void collect_secrets(const Value& value, const Stage& stage, std::vector<Span>& secrets) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) collect_secrets(item, stage, secrets);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) collect_secrets(entry.value, stage, secrets);
  }
  // A whole map is one where a single secret was expected.
  if (value.tainted()) {
    for (OriginId origin : stage.origins.leaves(value.origin())) {
      for (; origin != OriginId::None; origin = stage.origins[origin].overrides) {
        secrets.push_back(stage.origins[origin].span);
      }
    }
  }
}

// The texts themselves: values with faults are dropped, and messages about them are not.
void collect_texts(const Value& value, std::vector<std::string_view>& texts) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) collect_texts(item, texts);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) collect_texts(entry.value, texts);
  } else if (value.is(Kind::String) && value.tainted()) {
    texts.push_back(value.text());
  }
}

// Names reach paths and messages. True when one of these is made from a secret, which is reported.
bool is_secret(const Value& values, std::initializer_list<std::string_view> names, Stage& stage) {
  bool found = false;
  for (const std::string_view name : names) {
    const Value* value = values.find(name);
    if (value == nullptr || !value->tainted()) continue;
    const std::vector<OriginId> leaves = stage.origins.leaves(value->origin());
    stage.sink.report(diag::secret_in_name, leaves.empty() ? Span() : stage.origins[leaves.back()].span, name);
    found = true;
  }
  return found;
}

// Raw add-on text is YAML too: a mistake in it is found here, at its line of the values file.
void check_raw_addon_values(const Value& values, Stage& stage) {
  const Value* section = values.find("addon_values");
  if (section == nullptr || !section->is(Kind::Map)) return;
  for (const Entry& entry : section->entries()) {
    if (entry.value.is(Kind::String)) read_yaml_inside(entry.value, stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  }
}

// Faults after normalization speak of the keys that the user wrote.
void speak_of_written_keys(const std::vector<values::Renamed>& renamed, std::size_t first, Sink& sink) {
  const auto rename = [&](std::string& text) {
    for (const values::Renamed& name : renamed) {
      const std::string canonical = "`" + name.canonical + "`";
      for (std::size_t at = text.find(canonical); at != std::string::npos; at = text.find(canonical, at)) {
        text.replace(at, canonical.size(), "`" + name.written + "`");
      }
    }
  };
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& diagnostic = sink.diagnostics()[i];
    rename(diagnostic.message);
    for (std::string& note : diagnostic.notes) rename(note);
  }
}

// That two add-ons are one, which is known of those that are listed twice, and rests on a guess where one is unknown.
void drop_repeated_addons(std::size_t first, Sink& sink) {
  std::vector<Diagnostic>& all = sink.diagnostics();
  const auto is_at_fault = [&](Span addon) {
    return std::any_of(all.data(), all.data() + first, [&](const Diagnostic& fault) {
      const bool is_of_addon = fault.info == &diag::duplicate_addon.info || fault.info == &diag::unknown_addon.info;
      return is_of_addon && fault.where == addon;
    });
  };
  const auto is_said = [&](const Diagnostic& repeated) {
    if (repeated.info != &diag::repeated_item.info) return false;
    return is_at_fault(repeated.where) || std::any_of(repeated.labels.begin(), repeated.labels.end(),
                                                      [&](const Label& other) { return is_at_fault(other.where); });
  };
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  all.erase(std::remove_if(begin, all.end(), is_said), all.end());
}

void report_again(const Sink& held_back, Sink& sink) {
  for (const Diagnostic& diagnostic : held_back.diagnostics()) {
    Diagnostic& added = sink.add(*diagnostic.info, diagnostic.where, diagnostic.message);
    added.notes = diagnostic.notes;
    added.help = diagnostic.help;
  }
}

// Says which layers would have set what is missing, had their `when` matched.
void name_layers_left_out(const Value& values, const LayerRequest& request, const Project& project, std::size_t first,
                          Stage& stage) {
  if (project.config().layers.empty()) return;
  for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
    Diagnostic& missing = stage.sink.diagnostics()[i];
    const std::size_t end = missing.message.find('`', 1);
    if (missing.info != &diag::missing_key.info || !missing.message.starts_with('`') || end == std::string::npos)
      continue;
    const std::string key = missing.message.substr(1, end - 1);
    for (const std::string& file : layers_left_out_with(
             key, request, values, {project.fs(), project.workspace(), project.config(), stage.limits})) {
      missing.note(fmt::format("`{}` sets it, but its `when` in {} doesn't match this cluster", file, kConfigName));
    }
  }
}

// The key of `path` in the highest layer that has it, if that sets it to null.
Span null_at(std::span<const Value> layers, std::string_view path, const Stage& stage) {
  for (std::size_t i = layers.size(); i-- > 0;) {
    Value map = layers[i];
    for (std::string_view rest = path; map.is(Kind::Map);) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      const auto entry = std::find_if(map.entries().begin(), map.entries().end(),
                                      [&](const Entry& own) { return own.key.text() == rest.substr(0, dot); });
      if (entry == map.entries().end()) break;
      if (entry->value.is(Kind::Null)) return stage.origins[entry->key.origin()].span;
      if (dot == rest.size()) return {};
      rest.remove_prefix(dot + 1);
      map = entry->value;
    }
  }
  return {};
}

// Moves the error for a missing value to the null that removes it, if a layer has one.
void point_at_nulls(std::span<const Value> layers, std::size_t first, Stage& stage) {
  for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
    Diagnostic& fault = stage.sink.diagnostics()[i];
    const std::size_t end = fault.message.find('`', 1);
    const bool may_be_null = fault.info == &diag::missing_key.info || fault.info == &diag::unfit_items.info;
    if (!may_be_null || !fault.message.starts_with('`') || end == std::string::npos) continue;
    const Span null = null_at(layers, std::string_view(fault.message).substr(1, end - 1), stage);
    if (null.known()) fault.where = null;
  }
}

// A plain template folder: its schema, if it has one, checks the values as they are written.
void load_plain_values(CompiledCluster& cluster, const LayerRequest& request, Project& project, Stage& stage) {
  cluster.set = project.plain_set();
  cluster.sources.attach(cluster.set->sources);
  const std::vector<Value> layers = load_layers(request, project.fs(), project.workspace(), project.config(), stage);
  if (stage.sink.failed()) return;
  const Value merged = layers.size() == 1 ? layers[0] : values::merge_layers(layers, stage);
  Value values = apply_sets(merged, project.options().extra, stage);
  if (cluster.set->schema != nullptr) values = schema::mark_secrets(*cluster.set->schema, values, stage);
  collect_secrets(values, stage, cluster.secrets);
  values = values::taint_aliases(values, cluster.secrets, stage);
  collect_texts(values, cluster.secret_texts);
  cluster.secrets_known = true;
  if (cluster.set->schema != nullptr) schema::validate(*cluster.set->schema, values, stage);
  if (is_secret(values, {"cluster_name"}, stage)) return;
  if (const std::string_view name = values.text_at("cluster_name"); !name.empty()) cluster.name = name;
  if (!stage.sink.failed()) cluster.values = values;
}

}  // namespace

void load_values(CompiledCluster& cluster, Project& project, Stage& stage) {
  const auto means = [&](std::string_view asked, std::string_view stated) {
    const KnownSet* set = project.known_set(stated);
    return set != nullptr && (asked == set->id || asked == set->provider);
  };
  const LayerRequest request{cluster.values_path, &project.options().extra, project.plain_set() != nullptr,
                             project.layer_decryption(), means};
  if (request.as_they_stand) return load_plain_values(cluster, request, project, stage);

  const std::vector<Value> layers = load_layers(request, project.fs(), project.workspace(), project.config(), stage);
  Value merged = apply_sets(values::merge_layers(layers, stage), project.options().extra, stage);
  merged = values::normalize_layer(merged, stage);  // `--set worker_count=5`
  collect_secrets(merged, stage, cluster.secrets);  // what came encrypted; the schema tells the others
  if (is_secret(merged, {"schema_version", "cluster_name", "provider"}, stage)) return;
  if (const std::string_view name = merged.text_at("cluster_name"); !name.empty()) cluster.name = name;
  if (!check_schema_version(merged, stage) || stage.sink.failed()) return;
  cluster.set = choose_set(merged, cluster, project, stage);
  if (cluster.set == nullptr || cluster.set->sink.failed()) return;
  cluster.sources.attach(cluster.set->sources);
  const schema::Schema& shape = *cluster.set->schema;

  const values::Normalized normalized = values::normalize(merged, cluster.set->catalogue, stage);
  const std::string& asked_for = project.options().templated_addon;
  Value values = asked_for.empty()
                     ? normalized.values
                     : values::with_templated_addon(normalized.values, asked_for, cluster.set->catalogue, stage);
  // A message can show a line with a secret that a higher layer replaces or deletes.
  for (const Value& layer : layers) collect_secrets(schema::mark_secrets(shape, layer, stage), stage, cluster.secrets);
  // Secrets are known before references spread them; defaults come first so that references can fall back on them,
  // and again for what a reference to a map brought in.
  values = schema::mark_secrets(shape, values, stage);
  collect_secrets(values, stage, cluster.secrets);
  values = values::taint_aliases(values, cluster.secrets, stage);
  cluster.secrets_known = true;
  values = schema::apply_defaults(shape, values, stage);
  Sink unknown_in_defaults;
  values = values::resolve_references(values, stage, unknown_in_defaults);
  values = values::taint_copies(values, "extensions", stage);
  collect_texts(values, cluster.secret_texts);
  if (is_secret(values, {"cluster_name"}, stage)) return;
  values = schema::apply_defaults(shape, values, stage);
  const std::size_t before = stage.sink.diagnostics().size();
  schema::validate(shape, values, stage);
  drop_repeated_addons(before, stage.sink);
  name_layers_left_out(merged, request, project, before, stage);
  point_at_nulls(layers, before, stage);
  speak_of_written_keys(normalized.renamed, before, stage.sink);
  if (!stage.sink.failed()) report_again(unknown_in_defaults, stage.sink);
  if (stage.sink.failed()) return;

  check_ranges(values, stage);
  check_raw_addon_values(values, stage);

  const auto mine = [&](const Value& value) { return restamp(value, cluster.set->origins, stage); };
  const auto vendored = [&](const std::string& path) {
    return read_optional_source(project.fs(), project.workspace(), path, Span(), stage);
  };
  values = values::complete_addons(values, cluster.set->catalogue, mine, vendored, stage);
  if (const std::string_view name = values.text_at("cluster_name"); !name.empty()) cluster.name = name;
  if (!stage.sink.failed()) cluster.values = values;
}

}  // namespace capwright
