// The type of an option's value, such as `CLUSTER|FILE`, says what may complete it.
#include "cli/candidates.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/ascii.h"
#include "cli/addons.h"
#include "cli/shared_options.h"
#include "diag/catalog.h"
#include "golden/cases.h"
#include "lint/engine/rules.h"
#include "report/printable.h"
#include "workflow/lint_rules.h"

namespace capwright::cli {
namespace {

std::string with_hyphens(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// The schema, or the definition in the same document that it refers to.
const Value* resolved(const Value& document, const Value* schema) {
  constexpr std::string_view kDefinitions = "#/$defs/";
  for (int i = 0; schema != nullptr && schema->is(Kind::Map) && i < 8; ++i) {
    const std::string_view reference = schema->text_at("$ref");
    const Value* definitions = document.find("$defs");
    if (!reference.starts_with(kDefinitions) || definitions == nullptr || schema->find("properties") != nullptr) break;
    schema = definitions->find(reference.substr(kDefinitions.size()));
  }
  return schema != nullptr && schema->is(Kind::Map) ? schema : nullptr;
}

const Value* properties_of(const Value& document, const Value* schema) {
  schema = resolved(document, schema);
  const Value* properties = schema == nullptr ? nullptr : schema->find("properties");
  return properties != nullptr && properties->is(Kind::Map) ? properties : nullptr;
}

// The keys below the path `above`, such as `network.`, each with its title.
void collect_paths(const Value& document, const std::string& above, std::map<std::string, std::string>& paths) {
  const Value* properties = properties_of(document, &document);
  for (std::size_t at = 0; properties != nullptr && at < above.size();) {
    const std::size_t dot = above.find('.', at);
    properties = properties_of(document, properties->find(above.substr(at, dot - at)));
    at = dot + 1;
  }
  if (properties == nullptr) return;
  for (const Entry& entry : properties->entries()) {
    const bool is_map = properties_of(document, &entry.value) != nullptr;
    const std::string path = above + std::string(entry.key.text()) + (is_map ? "." : "=");
    paths.emplace(path, entry.value.is(Kind::Map) ? entry.value.text_at("title") : std::string_view());
  }
}

}  // namespace

void Candidates::add(std::string_view candidate, std::string_view meaning) {
  // Shells insert a candidate as it is, and names of keys and files are those of the repository.
  constexpr std::string_view kPlain = "._/=,:@+-[]";
  const bool is_plain = std::all_of(candidate.begin(), candidate.end(), [&](char c) {
    const char lower = lowered(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos;
  });
  if (!is_plain || !candidate.starts_with(part())) return;
  lines_ += word_.substr(0, start_) + std::string(candidate);
  if (!meaning.empty()) lines_ += "\t" + report::printable(meaning);
  lines_ += "\n";
}

void Candidates::add_values(const CLI::Option& option) {
  const std::string type = value_type(option);
  if (option.get_delimiter() != '\0') start_ = std::max(start_, word_.rfind(option.get_delimiter()) + 1);
  if (type.ends_with("[=FILE]") && part().find('=') != std::string::npos) {
    files_ = true;
    return;
  }
  const std::vector<std::string> choices = choices_of(option);
  for (const std::string& choice : choices) add(choice, "");
  if (choices.empty()) {
    for (const std::string& kind : CLI::detail::split(type, '|'))
      add_named(std::string_view(kind).substr(0, kind.find('[')));
  }
}

void Candidates::add_named(std::string_view kind) {
  if (kind == "FILE") files_ = true;
  if (kind.starts_with("DIR")) dirs_ = true;
  if (kind == "CLUSTER") add_clusters();
  if (kind == "CODE") add_codes();
  if (kind == "ADDON") add_addons();
  if (kind == "SET") add_sets();
  if (kind == "SET/CASE") add_cases();
  if (kind == "PATH=VALUE") add_value_paths();
}

workflow::OpenProject* Candidates::project() {
  if (open_ == nullptr) open_ = workflow::open_project({repository_, {}, std::nullopt, false, std::nullopt});
  return open_->project == nullptr ? nullptr : open_.get();
}

void Candidates::add_clusters() {
  workflow::OpenProject* open = project();
  if (open == nullptr) return;
  for (const std::string& path : workflow::choose_clusters(*open, {})) add(cluster_stem(path), path);
}

// Codes, or names if a lower-case letter was typed: with both, a list would show each rule twice.
void Candidates::add_codes() {
  const std::string typed = part();
  const bool by_name = !typed.empty() && typed[0] >= 'a' && typed[0] <= 'z';
  const auto add_code = [&](std::string_view code, std::string_view name) {
    if (by_name) add(with_hyphens(name), code);
    else add(code, with_hyphens(name));
  };
  for (const DiagInfo* info : diag::all()) add_code(info->code, info->name);
  for (const lint::Rule* rule : lint::all_rules()) add_code(rule->code, rule->name);
  workflow::OpenProject* open = project();
  if (open == nullptr) return;
  for (const lint::own::Rule& rule : workflow::load_own_rules(*open)) add_code(rule.code, rule.name);
}

void Candidates::add_addons() {
  workflow::OpenProject* open = project();
  const Catalogue catalogue(open == nullptr ? OwnCatalogue() : open->project->config().catalogue);
  for (const values::Addon& addon : catalogue.addons.addons) add(addon.id, addon.role);
}

void Candidates::add_sets() {
  workflow::OpenProject* open = project();
  if (open == nullptr) return;
  Sink sink;
  for (const KnownSet& set : known_sets(open->fs, open->project->workspace(), open->project->config(), sink))
    add(set.id, set.provider);
}

void Candidates::add_cases() {
  workflow::OpenProject* open = project();
  if (open == nullptr) return;
  Sink sink;
  const std::string folder = open->project->workspace().io_path(golden::kFolder);
  for (const golden::Case& golden : golden::find_cases(open->fs, folder, sink)) add(golden.title(), "");
}

// Of all template sets: the line may name no cluster yet.
void Candidates::add_value_paths() {
  const std::string typed = part();
  workflow::OpenProject* open = project();
  if (open == nullptr || typed.find('=') != std::string::npos) return;
  Sink sink;
  std::map<std::string, std::string> paths;
  for (const KnownSet& set : known_sets(open->fs, open->project->workspace(), open->project->config(), sink)) {
    const TemplateSet* loaded = open->project->template_set(set.id);
    if (loaded != nullptr) collect_paths(loaded->schema_document, typed.substr(0, typed.rfind('.') + 1), paths);
  }
  for (const auto& [path, title] : paths) add(path, title);
  continues_ = true;
}

std::string Candidates::lines() const {
  return fmt::format("{}:{}{}{}\n", lines_, files_ ? " files" : "", dirs_ ? " dirs" : "", continues_ ? " nospace" : "");
}

}  // namespace capwright::cli
