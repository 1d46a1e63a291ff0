// Finds and reads the repository's configuration.
#include "pipeline/config.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "diag/catalog/values.h"
#include "facts/built_in.h"
#include "pipeline/own_catalogue.h"
#include "pipeline/own_templates.h"
#include "pipeline/read_source.h"
#include "schema/schema.h"
#include "values/merge.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr const char* kSchemaPath = "schemas/config/capwright.schema.json";

std::string text_or(const Value& map, std::string_view key, std::string_view fallback = {}) {
  const Value* value = map.find(key);
  return std::string(value != nullptr && value->is(Kind::String) ? value->text() : fallback);
}

// The schema accepts `1.0` as an integer.
std::uint32_t small_number(const Value& value) {
  return static_cast<std::uint32_t>(value.is(Kind::Float) ? value.as_float() : static_cast<double>(value.as_int()));
}

LayerRule layer_rule(const Value& value) {
  LayerRule rule;
  rule.file = text_or(value, "file");
  if (const Value* when = value.find("when")) {
    rule.provider = text_or(*when, "provider");
    rule.path_glob = text_or(*when, "path");
  }
  return rule;
}

// The version as written: 1.10 and 1.1 differ.
TargetRule target_rule(const Entry& entry, const Stage& stage) {
  const Span where = stage.origins[entry.value.origin()].span;
  const bool text = entry.value.is(Kind::String);
  return {std::string(entry.key.text()), std::string(text ? entry.value.text() : stage.sources.text(where)), where};
}

GateRule gate_rule(const Value& item, const Stage& stage) {
  const std::string_view text = item.text();
  const std::size_t end = std::min(text.find('='), text.size());
  return {std::string(text.substr(0, end)), !text.ends_with("=false"), stage.span_of(item)};
}

std::vector<std::string> texts_below(const Value& map, std::string_view key) {
  std::vector<std::string> texts;
  if (const Value* list = map.find(key)) {
    for (const Value& text : list->items()) texts.emplace_back(text.text());
  }
  return texts;
}

constexpr std::pair<Delivery, std::string_view> kDeliveries[] = {
    {Delivery::ArgoCd, "argocd"}, {Delivery::Flux, "flux"}, {Delivery::Kubectl, "kubectl"}};

Delivery delivery_of(std::string_view word) {
  for (const auto& [delivery, name] : kDeliveries) {
    if (name == word) return delivery;
  }
  return Delivery::ArgoCd;  // the schema accepts no other words
}

Severity severity_of(std::string_view word) {
  if (word == "error") return Severity::Error;
  return word == "warning" ? Severity::Warning : Severity::Note;
}

LintConfig lint_config(const Value& section, const Stage& stage) {
  LintConfig config;
  config.select = texts_below(section, "select");
  config.ignore = texts_below(section, "ignore");
  config.externals = texts_below(section, "externals");
  config.baseline = text_or(section, "baseline");
  if (const Value* baseline = section.find("baseline")) config.baseline_where = stage.origins[baseline->origin()].span;
  if (const Value* rules = section.find("rules")) {
    for (const Value& glob : rules->items())
      config.rules.push_back({std::string(glob.text()), stage.origins[glob.origin()].span});
  }
  if (const Value* paths = section.find("per_path_ignores")) {
    for (const Entry& path : paths->entries())
      config.ignore_at.emplace_back(path.key.text(), texts_below(*paths, path.key.text()));
  }
  if (const Value* severities = section.find("severities")) {
    for (const Entry& rule : severities->entries())
      config.severities.emplace_back(rule.key.text(), severity_of(rule.value.text()));
  }
  return config;
}

void take(const Value& document, Config& config, Stage& stage) {
  config.output = text_or(document, "output", config.output);
  config.templates = text_or(document, "templates", config.templates);
  if (const Value* folders = document.find("values")) {
    config.values.clear();
    for (const Value& folder : folders->items()) {
      config.values.emplace_back(folder.text());
      config.values_places.push_back(stage.span_of(folder));
    }
  }
  config.delivery = delivery_of(text_or(document, "delivery", "argocd"));
  if (const Value* tombstones = document.find("tombstones")) config.tombstones = tombstones->as_bool();
  if (const Value* retain = document.find("retain")) config.retain = small_number(*retain);
  if (const Value* layers = document.find("layers")) {
    for (const Value& layer : layers->items()) config.layers.push_back(layer_rule(layer));
  }
  if (const Value* section = document.find("argocd")) {
    config.argocd = {text_or(*section, "repo_url"), text_or(*section, "revision"), text_or(*section, "namespace"),
                     text_or(*section, "destination"), text_or(*section, "image")};
    if (const Value* revision = section->find("revision")) config.revision_where = stage.span_of(*revision);
  }
  if (const Value* section = document.find("publish")) {
    config.publish_branch = text_or(*section, "branch");
    if (const Value* branch = section->find("branch")) config.publish_branch_where = stage.span_of(*branch);
  }
  if (const Value* section = document.find("lint")) config.lint = lint_config(*section, stage);
  for (const std::string_view key : values::kGrowingLists) {
    if (const Value* list = document.find(key))
      config.own_objects += fmt::format("{}: {}\n", key, stage.sources.text(stage.span_of(*list)));
  }
  config.sources = read_manifest_sources(document, stage);
  if (const Value* targets = document.find("targets")) {
    for (const Entry& target : targets->entries()) config.targets.push_back(target_rule(target, stage));
  }
  if (const Value* gates = document.find("feature_gates")) {
    for (const Value& gate : gates->items()) config.feature_gates.push_back(gate_rule(gate, stage));
  }
}

// The keys of `template`, written at the top or below `templates`, folders of values, and patterns of layers.
void advise_keys(std::size_t first, Sink& sink) {
  constexpr std::pair<std::string_view, std::string_view> kKeys[] = {{"`template_dir`", "dir: DIR"},
                                                                     {"`template-dir`", "dir: DIR"},
                                                                     {"`main`", "main: FILE"},
                                                                     {"`jinja`", "jinja: {trim_blocks: true}"},
                                                                     {"`schema`", "schema: FILE"}};
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& unknown = sink.diagnostics()[i];
    for (const auto& [key, words] : kKeys) {
      if (unknown.info == &diag::unknown_key.info && unknown.message.starts_with(key))
        unknown.advise(fmt::format("for your own templates, write `{}` below `template`", words));
    }
    if (unknown.info == &diag::unexpected_type.info && unknown.message.starts_with("`templates` is a map"))
      unknown.advise("for your own templates, the key is `template`");
    if (unknown.info == &diag::unexpected_type.info && unknown.message.starts_with("`values` is the string"))
      unknown.advise("write a list of folders, such as `[values]`; each is searched with its subfolders");
    if (unknown.info == &diag::unexpected_type.info && unknown.message.starts_with("`layers[") &&
        unknown.message.find_first_of("{*") != std::string::npos) {
      unknown.advise(std::string(kAdviceOnLayerPaths));
      unknown.fix.reset();
    }
  }
}

}  // namespace

std::string_view delivery_name(Delivery delivery) {
  for (const auto& [known, name] : kDeliveries) {
    if (known == delivery) return name;
  }
  return {};
}

Workspace find_workspace(FileSystem& fs, std::string_view absolute_working_directory) {
  Workspace found;
  std::filesystem::path folder(absolute_working_directory);
  for (std::string prefix, below;; prefix += "../") {
    if (fs.exists(prefix + std::string(kConfigName))) return {prefix, below};
    const bool at_top = fs.exists(prefix + ".git") || folder == folder.root_path();
    if (at_top) return found;
    below = folder.filename().string() + "/" + below;
    folder = folder.parent_path();
  }
}

Config read_config(FileSystem& fs, const Workspace& workspace, const std::string& shown, std::string_view program,
                   Stage& stage) {
  Config config;
  const std::optional<FileId> file = read_source(fs, workspace, shown, Span(), stage);
  if (!file) return config;
  config.file = *file;
  const std::size_t errors = stage.sink.error_count();
  const Value document = read_yaml(*file, stage);
  if (stage.sink.error_count() != errors) return config;
  // First: the schema of another version may have other keys.
  const Value* required = document.is(Kind::Map) && !program.empty() ? document.find("required_version") : nullptr;
  if (required != nullptr && required->is(Kind::String) && !meets_required_version(*required, program, stage))
    return config;
  if (!document.is(Kind::Null)) {
    const FileId schema_file = stage.sources.add(kSchemaPath, std::string(built_in_text(kSchemaPath)));
    const std::size_t before = stage.sink.diagnostics().size();
    const auto schema = schema::compile(read_yaml(schema_file, stage), stage, {.built_in = true});
    const bool is_valid = schema::validate(*schema, document, stage);
    advise_keys(before, stage.sink);
    if (!is_valid) return config;
    take(document, config, stage);
    if (const Value* section = document.find("template"))
      config.own_templates = read_own_templates(fs, workspace, *section, stage);
  }
  const Value* catalogue = document.is(Kind::Map) ? document.find("catalogue") : nullptr;
  const Span named = catalogue == nullptr ? Span() : stage.origins[catalogue->origin()].span;
  config.catalogue = read_own_catalogue(fs, workspace, text_or(document, "catalogue", "catalogue"), named, stage);
  if (config.own_templates) config.own_templates->outputs = read_outputs(fs, workspace, document, config, stage);
  return config;
}

}  // namespace capwright
