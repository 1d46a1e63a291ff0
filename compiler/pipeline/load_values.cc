// Each stage takes the values that the previous one returned. Loading stops after errors that would cause others.
#include "pipeline/load_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "pipeline/layers.h"
#include "pipeline/misplaced_layers.h"
#include "pipeline/own_resources.h"
#include "pipeline/read_source.h"
#include "pipeline/restate_errors.h"
#include "schema/reach.h"
#include "schema/schema.h"
#include "secrets/taint.h"
#include "value/stage.h"
#include "values/choose_addons.h"
#include "values/complete_addons.h"
#include "values/merge.h"
#include "values/normalize.h"
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

// `cloud: aws`: a text at the top level that names a set; null if there is none.
const Entry* misnamed_provider(const Value& values, const Project& project) {
  if (!values.is(Kind::Map)) return nullptr;
  for (const Entry& entry : values.entries()) {
    const bool is_named = entry.value.is(Kind::String) && !entry.value.tainted() &&
                          entry.key.text() != "cluster_name" && project.known_set(entry.value.text()) != nullptr;
    if (is_named) return &entry;
  }
  return nullptr;
}

// The set that `provider` names, with its sources made known to the cluster.
const TemplateSet* choose_set(const Value& values, const std::string& values_path, Project& project, Stage& stage) {
  const Value* provider = values.find("provider");
  if (provider == nullptr) {
    const auto& folders = project.config().values;
    const bool is_elsewhere = std::none_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return values_path.starts_with(folder + "/");
    });
    Diagnostic& diagnostic = stage.sink.report(diag::missing_provider, Span(), values_path);
    if (is_elsewhere) {
      diagnostic.note(
          fmt::format("it isn't in a values folder (`{}`), and it isn't a manifest because it has no `kind`",
                      fmt::join(folders, "`, `")));
    }
    if (const Entry* named = misnamed_provider(values, project)) {
      diagnostic.where = stage.span_of(named->key);
      diagnostic.advise(fmt::format("write `provider` instead of `{}`", named->key.text()));
      return nullptr;
    }
    diagnostic.advise("add one, such as `provider: openstack`; known sets: " + list_names(project.names_of_sets(), 20) +
                      "; for your own templates, add `template: {dir: DIR, main: FILE}` to capwright.yaml");
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

// The words in places of secrets that are keys of the schema. A map that isn't where secrets belong is one place, and
// advice about it names the keys that it needs.
std::vector<std::string> keys_in_secrets(const schema::Schema& schema, const std::vector<Span>& places,
                                         const Stage& stage) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  const schema::KeyPaths declared(*schema.root);
  std::set<std::string, std::less<>> keys;
  for (const Span place : places) {
    std::string_view rest = place.known() ? stage.sources.text(place) : std::string_view();
    while (!rest.empty()) {
      rest.remove_prefix(std::min(rest.find_first_of(kLetters), rest.size()));
      const std::string_view word = rest.substr(0, rest.find_first_not_of(kLetters));
      const std::string path = declared.find(word);
      if (path == word || path.ends_with("." + std::string(word))) keys.emplace(word);
      rest.remove_prefix(word.size());
    }
  }
  return {keys.begin(), keys.end()};
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

// References in defaults to unknown values: only worth a report if the values are valid.
void report_unknown_in_defaults(const Sink& held_back, Sink& sink) {
  if (sink.failed()) return;
  for (const Diagnostic& diagnostic : held_back.diagnostics()) {
    Diagnostic& added = sink.add(*diagnostic.info, diagnostic.where, diagnostic.message);
    added.notes = diagnostic.notes;
    added.help = diagnostic.help;
  }
}

std::vector<Value> read_layers(const LayerRequest& request, Project& project, Stage& stage) {
  return load_layers(request, project.fs(), project.workspace(), project.config(), stage);
}

LayerRequest request_for(const std::string& values_path, const Project& project) {
  const auto means = [&project](std::string_view asked, std::string_view stated) {
    const KnownSet* set = project.known_set(stated);
    return set != nullptr && (asked == set->id || asked == set->provider);
  };
  return {values_path, &project.options().extra, project.plain_set() != nullptr, {}, means};
}

LayerPlace layer_place(const Project& project, const Stage& stage) {
  return {project.fs(), project.workspace(), project.config(), stage.limits};
}

void name_by(const Value& values, LoadedValues& loaded) {
  if (const std::string_view name = values.text_at("cluster_name"); !name.empty()) loaded.name = name;
}

// Adds what the catalogue and vendored files know of the add-ons.
Value complete_values(const Value& values, const TemplateSet& set, const Project& project, Stage& stage) {
  const auto mine = [&](const Value& value) { return restamp(value, set.origins, stage); };
  const auto vendored = [&](const std::string& path) {
    return read_optional_source(project.fs(), project.workspace(), path, Span(), stage);
  };
  // `capwright addons defaults` prints the file with the values.
  const bool is_asked = !project.options().templated_addon.empty();
  const bool only_manifests = project.config().delivery == Delivery::Flux && !is_asked;
  return values::complete_addons(values, set.catalogue, {mine, vendored, only_manifests}, stage);
}

// The tool that applies the tree must be able to complete the credentials.
void check_form(const Value& values, Delivery delivery, Stage& stage) {
  const Value* secrets = values.find("secrets");
  const Value* form = secrets != nullptr && secrets->is(Kind::Map) ? secrets->find("form") : nullptr;
  if (delivery != Delivery::Flux || form == nullptr || !form->is(Kind::String) || form->text() != "avp") return;
  stage.sink.report(diag::form_not_for_flux, stage.span_of(*form), form->text())
      .note("only the Argo CD Vault plugin replaces its placeholders, and Flux would apply them as the credentials")
      .advise("use `external`, `sealed`, `sops` or `ref`, or set `delivery: argocd` in capwright.yaml");
}

// `values` has `patches` and `resources` as data, with all references resolved.
void take_own_objects(const Value& values, Project& project, LoadedValues& loaded, Stage& stage) {
  if (const Value* patches = values.find("patches")) loaded.own.patches = *patches;
  loaded.own.resources = read_resources(values.find("resources"), loaded.name, *loaded.set, project, stage);
}

// Keys of built-in sets, written into the values of own templates, where only their own schema has keys.
void advise_own_keys(std::size_t first, Sink& sink) {
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& unknown = sink.diagnostics()[i];
    if (unknown.info == &diag::unknown_key.info && unknown.message.starts_with("`patches` "))
      unknown.advise("with your own templates, patches of objects belong into capwright.yaml");
    if (unknown.info == &diag::unknown_key.info && unknown.message.starts_with("`extends` "))
      unknown.advise("remove it, and list layers in capwright.yaml: `layers: [{file: layers/all.yaml}]`");
  }
}

// A plain template folder: its schema, if it has one, checks the values as they are written.
LoadedValues load_plain_values(LoadedValues loaded, const LayerRequest& request, Project& project, Stage& stage) {
  loaded.set = project.plain_set();
  stage.sources.attach(loaded.set->sources);
  const schema::Schema* schema = loaded.set->schema.get();
  if (is_configured_layer(request.values_path, project, stage)) return loaded;
  const std::vector<Value> layers = read_layers(request, project, stage);
  for (const Value& layer : layers) report_unread_extends(layer, project, stage);
  if (layers.size() == 1) values::can_merge(layers[0], stage);
  if (stage.sink.failed()) return loaded;
  const Value merged = layers.size() == 1 ? layers[0] : values::merge_layers(layers, stage);
  Value values = apply_sets(merged, project.options().extra, stage);
  if (schema != nullptr) values = secrets::mark_secrets(*schema, values, stage);
  collect_secrets(values, stage, loaded.secrets.places);
  values = secrets::taint_aliases(values, loaded.secrets.places, stage);
  collect_texts(values, loaded.secrets.texts);
  loaded.secrets.complete = true;
  loaded.layers = layers;
  if (loaded.set->has_faulty_schema) {  // what it finds may be wrong
    loaded.values = values;
    return loaded;
  }
  const std::size_t first_of_validation = stage.sink.diagnostics().size();
  if (schema != nullptr) schema::validate(*schema, values, stage);
  advise_own_keys(first_of_validation, stage.sink);
  report_yaml11_values(values, stage);
  if (is_secret(values, {"cluster_name"}, stage)) return loaded;
  name_by(values, loaded);
  // A user's templates may read other values of these names, so only the configuration's count.
  const Value own =
      read_patches(configured_objects(project.fs(), project.workspace(), project.config(), stage), project, stage);
  take_own_objects(values::resolve_references_in(own, values, stage), project, loaded, stage);
  if (!stage.sink.failed()) loaded.values = values;
  return loaded;
}

// Values of a template set, from the layers to frozen values.
LoadedValues load_set_values(LoadedValues loaded, const LayerRequest& request, Project& project, Stage& stage) {
  const LayerPlace place = layer_place(project, stage);
  if (is_configured_layer(request.values_path, project, stage)) return loaded;
  const std::vector<Value> layers = read_layers(request, project, stage);
  Value merged = apply_sets(values::merge_layers(layers, stage, values::kGrowingLists), project.options().extra, stage);
  merged = read_patches(merged, project, stage);
  merged = values::normalize_layer(merged, stage);        // `--set worker_count=5`
  collect_secrets(merged, stage, loaded.secrets.places);  // those of encrypted layers; the schema marks the others
  if (is_secret(merged, {"schema_version", "cluster_name", "provider"}, stage)) return loaded;
  name_by(merged, loaded);
  const bool may_be_layer = merged.find("cluster_name") == nullptr && !stage.sink.failed();
  if (may_be_layer && is_extended_layer(request.values_path, project, stage)) return loaded;
  if (!check_schema_version(merged, stage) || stage.sink.failed()) return loaded;
  loaded.set = choose_set(merged, request.values_path, project, stage);
  if (loaded.set == nullptr || loaded.set->sink.failed()) return loaded;
  const TemplateSet& set = *loaded.set;
  const schema::Schema& schema = *set.schema;
  stage.sources.attach(set.sources);

  const values::Normalized normalized = values::normalize(merged, set.catalogue, stage);
  const std::string& asked_for = project.options().templated_addon;
  Value values = asked_for.empty() ? normalized.values
                                   : values::with_templated_addon(normalized.values, asked_for, set.catalogue, stage);

  // A message can show a line with a secret that a higher layer replaces or deletes.
  for (const Value& layer : layers)
    collect_secrets(secrets::mark_secrets(schema, layer, stage), stage, loaded.secrets.places);
  // Secrets are known before references spread them.
  values = secrets::mark_secrets(schema, values, stage);
  collect_secrets(values, stage, loaded.secrets.places);
  values = secrets::taint_aliases(values, loaded.secrets.places, stage);
  loaded.secrets.complete = true;

  // Defaults come first so that references can fall back on them, and again for what a reference to a map brought in.
  values = schema::apply_defaults(schema, values, stage);
  Sink unknown_in_defaults;
  values = values::resolve_references(values, stage, unknown_in_defaults);
  values = secrets::taint_copies(values, "extensions", stage);
  collect_texts(values, loaded.secrets.texts);
  if (is_secret(values, {"cluster_name"}, stage)) return loaded;
  values = schema::apply_defaults(schema, values, stage);

  const std::size_t first_of_validation = stage.sink.diagnostics().size();
  schema::validate(schema, values, stage);
  name_providers(first_of_validation, {set, values.text_at("provider"), request.values_path, project}, stage);
  restate_errors(first_of_validation, {layers, merged, normalized.renamed}, request, place, stage);
  report_unknown_in_defaults(unknown_in_defaults, stage.sink);
  loaded.unchecked = values;
  // These read values one by one, so an error in another one causes none here.
  check_ranges(values, first_of_validation, stage);
  check_raw_addon_values(values, stage);
  check_form(values, project.config().delivery, stage);
  if (stage.sink.failed()) return loaded;
  values = complete_values(values, set, project, stage);
  name_by(values, loaded);
  take_own_objects(values, project, loaded, stage);
  if (!stage.sink.failed()) loaded.values = values;
  loaded.layers = layers;
  return loaded;
}

}  // namespace

std::vector<Value> layers_of(const std::string& values_path, Project& project, Stage& stage) {
  return read_layers(request_for(values_path, project), project, stage);
}

LoadedValues load_values(const std::string& values_path, Project& project, Stage& stage) {
  const bool is_plain = project.plain_set() != nullptr;
  const std::string& meant_path = project.options().meant_path;
  LayerRequest request = request_for(values_path, project);
  request.decryption = project.layer_decryption();
  request.meant_path = meant_path;
  LoadedValues named;
  named.name = cluster_stem(meant_path.empty() ? values_path : meant_path);
  LoadedValues loaded = is_plain ? load_plain_values(std::move(named), request, project, stage)
                                 : load_set_values(std::move(named), request, project, stage);
  const schema::Schema* schema = loaded.set == nullptr ? nullptr : loaded.set->schema.get();
  if (stage.sink.failed() && loaded.secrets.complete && schema != nullptr)
    loaded.secrets.keys = keys_in_secrets(*schema, loaded.secrets.places, stage);
  return loaded;
}

}  // namespace capwright
