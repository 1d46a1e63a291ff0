// Each step looks at the same diagnostics. The last one renames keys, because the others look them up in messages.
#include "pipeline/restate_errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>
#include <vector>

#include "diag/catalog.h"
#include "diag/catalog/layers.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/values.h"
#include "pipeline/config.h"
#include "schema/schema.h"

namespace capwright {
namespace {

// Two add-ons with one name are already reported if one of them is a duplicate or unknown.
void drop_reported_addons(std::size_t first, Sink& sink) {
  std::vector<Diagnostic>& all = sink.diagnostics();
  const auto is_reported = [&](Span addon) {
    return std::any_of(all.data(), all.data() + first, [&](const Diagnostic& known) {
      const bool is_of_addon = known.info == &diag::duplicate_addon.info || known.info == &diag::unknown_addon.info;
      return is_of_addon && known.where == addon;
    });
  };
  const auto is_redundant = [&](const Diagnostic& repeated) {
    if (repeated.info != &diag::repeated_item.info) return false;
    return is_reported(repeated.where) || std::any_of(repeated.labels.begin(), repeated.labels.end(),
                                                      [&](const Label& other) { return is_reported(other.where); });
  };
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  all.erase(std::remove_if(begin, all.end(), is_redundant), all.end());
}

void note_layers_left_out(const Value& merged, const LayerRequest& request, const LayerPlace& place, std::size_t first,
                          Sink& sink) {
  if (place.config.layers.empty()) return;
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& missing = sink.diagnostics()[i];
    const std::size_t end = missing.message.find('`', 1);
    if (missing.info != &diag::missing_key.info || !missing.message.starts_with('`') || end == std::string::npos)
      continue;
    const std::string key = missing.message.substr(1, end - 1);
    for (const std::string& file : layers_left_out_with(key, request, merged, place)) {
      missing.note(fmt::format("`{}` sets it, but its `when` in {} doesn't match this cluster", file, kConfigName));
    }
  }
}

// The entries of a layer for the steps of a path such as `network.node_cidr`, as far as it has them.
std::vector<const Entry*> entries_along(const Value& layer, std::string_view path) {
  std::vector<const Entry*> entries;
  for (const Value* map = &layer; map->is(Kind::Map);) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto entry = std::find_if(map->entries().begin(), map->entries().end(),
                                    [&](const Entry& own) { return own.key.text() == path.substr(0, dot); });
    if (entry == map->entries().end()) break;
    entries.push_back(&*entry);
    if (dot == path.size()) break;
    path.remove_prefix(dot + 1);
    map = &entry->value;
  }
  return entries;
}

std::size_t steps_in(std::string_view path) { return static_cast<std::size_t>(std::ranges::count(path, '.')) + 1; }

// A key without a value.
struct EmptyKey {
  Span where;
  std::string_view path;
};

// `path`, or the key of a map around it, in the highest layer that has it, if that sets it to null.
EmptyKey null_at(std::span<const Value> layers, std::string_view path, const Stage& stage) {
  for (std::size_t i = layers.size(); i-- > 0;) {
    std::size_t end = 0;
    const std::vector<const Entry*> entries = entries_along(layers[i], path);
    for (const Entry* entry : entries) {
      end = std::min(path.find('.', end == 0 ? 0 : end + 1), path.size());
      if (entry->value.is(Kind::Null)) return {stage.origins[entry->key.origin()].span, path.substr(0, end)};
    }
    if (entries.size() == steps_in(path)) return {};
  }
  return {};
}

// The map around a missing key, in the highest layer that has it. A merged map has the place of the lowest one, which
// is mostly that of all clusters. Unknown: the key is at the top, or in a list.
Span highest_map_around(std::span<const Value> layers, std::string_view path, const Stage& stage) {
  const std::size_t last = path.rfind('.');
  if (last == std::string_view::npos) return {};
  path = path.substr(0, last);
  for (std::size_t i = layers.size(); i-- > 0;) {
    const std::vector<const Entry*> entries = entries_along(layers[i], path);
    if (entries.size() == steps_in(path) && entries.back()->value.is(Kind::Map))
      return stage.origins[entries.back()->key.origin()].span;
  }
  return {};
}

void move_to_nulls(std::span<const Value> layers, std::size_t first, Stage& stage) {
  for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
    Diagnostic& fault = stage.sink.diagnostics()[i];
    const std::size_t end = fault.message.find('`', 1);
    const bool may_be_null = fault.info == &diag::missing_key.info || fault.info == &diag::unfit_items.info;
    if (!may_be_null || !fault.message.starts_with('`') || end == std::string::npos) continue;
    const std::string path = fault.message.substr(1, end - 1);
    const EmptyKey empty = null_at(layers, path, stage);
    if (!empty.where.known()) {
      const Span map = fault.info == &diag::missing_key.info ? highest_map_around(layers, path, stage) : Span();
      if (map.known()) fault.where = map;
      continue;
    }
    fault.where = empty.where;
    if (fault.info != &diag::missing_key.info) continue;
    if (empty.path == path) fault.message = fmt::format("`{}` is empty (null)", path);
    else fault.message += fmt::format(", because `{}` is empty (null)", empty.path);
  }
}

// `zone` or `net.zone`, as the template of an error about an undefined value looked it up; empty for another error.
std::string missing_path(const Diagnostic& fault, const SourceSet& sources) {
  if (!fault.where.known()) return {};
  if (fault.info == &diag::undefined_variable.info) return std::string(sources.text(fault.where));
  if (fault.info != &diag::undefined_attribute.info) return {};
  const std::size_t end = fault.message.find('`', 1), begin = fault.message.rfind('`', fault.message.size() - 2);
  if (end == std::string::npos || begin == std::string::npos || begin < end) return {};
  const std::string owner = fault.message.substr(1, end - 1), key = fault.message.substr(begin + 1);
  return fmt::format("{}.{}", owner, key.substr(0, key.size() - 1));
}

// The path of `worker_pools[0].name` as steps for find_declaration(); empty for keys with special characters.
std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  if (path.find('"') != std::string_view::npos) return steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::string_view step = path.substr(begin, path.find('.', begin) - begin);
    const std::string_view key = step.substr(0, step.find('['));
    steps.push_back(key);
    steps.insert(steps.end(), static_cast<std::size_t>(std::count(step.begin(), step.end(), '[')), "[]");
    begin += step.size() + 1;
  }
  return steps;
}

// The providers of the built-in sets, other than `set`, that declare the path. Sets of the repository don't
// count: loading them would report their findings, although no cluster uses them.
std::vector<std::string> providers_with(std::string_view path, const TemplateSet& set, Project& project) {
  std::vector<std::string> providers;
  const std::vector<std::string_view> steps = steps_of(path);
  for (const std::string_view name : project.names_of_sets()) {
    const KnownSet* known = project.known_set(name);
    if (steps.empty() || known->id != name || known->id == set.id || !known->built_in) continue;
    const TemplateSet& other = *project.template_set(name);
    const bool is_declared =
        other.schema != nullptr && schema::find_declaration(*other.schema, steps).declared == schema::Declared::Yes;
    if (is_declared) providers.push_back(known->provider == set.provider ? known->id : known->provider);
  }
  return providers;
}

// The edit for a key at `where` that is for another provider.
void advise_on_place(Diagnostic& fault, std::string_view file, const std::string& provider, const UsedSet& used) {
  const Config& config = used.project.config();
  if (used.project.known_set(provider)->provider == used.set.provider) {
    fault.advise(
        fmt::format("add it to `{}/{}/values.schema.json` if this set has it, too", config.templates, used.set.id));
    return;
  }
  const std::vector<LayerRule>& rules = config.layers;
  const auto is_in = [&](const LayerRule& rule) { return rule.file == file; };
  const auto layer = std::find_if(rules.begin(), rules.end(), is_in);
  const bool is_own =
      layer == rules.end() && (file == used.values_path || file.starts_with('-') || file == kStandardInput);
  if (is_own) {
    fault.advise(fmt::format("remove it, or set `provider: {}` if the cluster is there", provider));
    return;
  }
  if (layer != rules.end() && layer->provider.empty() && layer->path_glob.empty())
    fault.note(fmt::format("`{}` has no `when` in {}, so it applies to clusters of all providers", file, kConfigName));
  const auto better = std::find_if(rules.begin(), rules.end(), [&](const LayerRule& rule) {
    const KnownSet* asked = rule.provider.empty() ? nullptr : used.project.known_set(rule.provider);
    return asked != nullptr && (asked->id == provider || asked->provider == provider) && rule.path_glob.empty();
  });
  if (better != rules.end())
    fault.advise(fmt::format("move it to `{}`, which has `when: {{provider: {}}}`", better->file, better->provider));
  else
    fault.advise(
        fmt::format("move it to a layer with `when`, in {}: `- {{file: layers/{}.yaml, when: {{provider: {}}}}}`",
                    kConfigName, provider, provider));
}

// Whether the help suggests the singular or plural of the key, which the other provider has.
bool suggests_number(const Diagnostic& fault, std::string_view path) {
  const std::string_view key = path.substr(path.rfind('.') + 1);  // npos + 1 is 0
  return fault.help == fmt::format("did you mean `{}s`?", key) ||
         (key.ends_with('s') && fault.help == fmt::format("did you mean `{}`?", key.substr(0, key.size() - 1)));
}

void rename_to_written_keys(const std::vector<values::Renamed>& renamed, std::size_t first, Sink& sink) {
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

// For secrets that the form `plain` lacks: with values from outside, a render into the repository is refused (S074).
void advise_on_plain_form(const Value& merged, std::size_t first, Sink& sink) {
  const Value* secrets = merged.is(Kind::Map) ? merged.find("secrets") : nullptr;
  if (secrets == nullptr || !secrets->is(Kind::Map) || secrets->text_at("form") != "plain") return;
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& missing = sink.diagnostics()[i];
    if (missing.info == &diag::missing_key.info && missing.message.starts_with("`secrets.") && missing.help)
      missing.advise(
          "it is a secret: pass it with `--values` from outside of the repository, and render with `--stdout`, or with "
          "`-o` into a folder outside (docs/secrets.md)");
  }
}

}  // namespace

void restate_errors(std::size_t first, const WrittenValues& written, const LayerRequest& request,
                    const LayerPlace& place, Stage& stage) {
  drop_reported_addons(first, stage.sink);
  note_layers_left_out(written.merged, request, place, first, stage.sink);
  move_to_nulls(written.layers, first, stage);
  rename_to_written_keys(written.renamed, first, stage.sink);
  advise_on_plain_form(written.merged, first, stage.sink);
}

void name_providers(std::size_t first, const UsedSet& used, Stage& stage) {
  for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
    Diagnostic& fault = stage.sink.diagnostics()[i];
    const std::size_t end = fault.message.find('`', 1);
    if (fault.info != &diag::unknown_key.info || end == std::string::npos || !fault.where.known()) continue;
    const std::string path = fault.message.substr(1, end - 1);
    if (suggests_number(fault, path)) continue;
    const std::vector<std::string> providers = providers_with(path, used.set, used.project);
    if (providers.empty()) continue;
    fault.message = fmt::format("`{}` is a key for `provider: {}`, and this cluster has `provider: {}`", path,
                                fmt::join(providers, "` or `provider: "), used.provider);
    fault.fix.reset();
    advise_on_place(fault, stage.sources.path(fault.where.file), providers.front(), used);
  }
}

void explain_nulls(std::size_t first, std::span<const Value> layers, Stage& stage) {
  if (!stage.sink.failed()) return;
  for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
    Diagnostic& fault = stage.sink.diagnostics()[i];
    const std::string path = missing_path(fault, stage.sources);
    const EmptyKey null = path.empty() ? EmptyKey() : null_at(layers, path, stage);
    if (!null.where.known()) continue;
    fault.message = null.path == path ? fmt::format("`{}` is null, so it isn't defined", path)
                                      : fmt::format("`{}` isn't defined, because `{}` is null", path, null.path);
    fault.at_caret("needs a value").also(null.where, "null removes the key");
    fault.advise(fmt::format("give it a value there, or write a default: `{} | default(…, true)`", path));
  }
}

void explain_missing_name(std::size_t first, const std::string& name, const std::string& values_path, Sink& sink) {
  for (std::size_t i = first; i < sink.diagnostics().size(); ++i) {
    Diagnostic& fault = sink.diagnostics()[i];
    if (fault.info != &diag::undefined_variable.info || !fault.message.starts_with("`cluster_name` is undefined"))
      continue;
    fault.note("your own templates don't get the name of the values file");
    fault.advise(fmt::format("add it to each values file, such as `cluster_name: {}` to `{}`", name, values_path));
  }
}

}  // namespace capwright
