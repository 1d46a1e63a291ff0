// One pass over the references that the resolver has collected.
#include "pipeline/check_references.h"

#include <set>

#include "diag/catalog.h"
#include "diag/suggest.h"
#include "template/builtins/builtin.h"

namespace capwright {
namespace {

using jinja::PathStep;

// What a partial reads may come from the template that includes it, so definitions count in all of the set.
std::set<std::string_view> defined_names(const TemplateSet& set) {
  std::set<std::string_view> names;
  for (const auto& [name, parsed] : set.templates) {
    if (parsed == nullptr) continue;
    for (const jinja::Definition& definition : parsed->references.definitions) names.insert(definition.name);
  }
  return names;
}

std::vector<std::string_view> keys_of(std::span<const PathStep> steps) {
  std::vector<std::string_view> keys;
  for (const PathStep& step : steps) keys.push_back(step.kind == PathStep::Kind::Key ? step.key : "[]");
  return keys;
}

// Common partials ask for the provider before they read what only some providers' schemas have.
bool is_common(const TemplateSet& set, Span span) {
  return set.sources.path(span.file).find("/common/") != std::string_view::npos;
}

void check(const jinja::ReadPath& read, TemplateSet& set) {
  // The last key of a path that is called is a method: `labels.items()`.
  const auto steps = read.called ? read.steps.first(read.steps.size() - 1) : read.steps;
  if (steps.empty()) return;
  const std::vector<std::string_view> keys = keys_of(steps);
  const schema::Declaration found = schema::find_declaration(*set.schema, keys);
  if (found.declared != schema::Declared::No) return;
  Diagnostic& diagnostic =
      set.sink.report(diag::undeclared_value, read.span, jinja::path_text(steps.first(found.known + 1)));
  if (std::string help = did_you_mean(keys[found.known], found.candidates); !help.empty())
    diagnostic.advise(std::move(help));
}

}  // namespace

void check_references(TemplateSet& set) {
  if (set.schema == nullptr) return;
  const std::set<std::string_view> defined = defined_names(set);
  for (const auto& [name, parsed] : set.templates) {
    if (parsed == nullptr) continue;
    for (const jinja::ReadPath& read : parsed->references.reads) {
      const std::string_view first = read.steps.front().key;
      const bool known = first == "addons" || defined.contains(first) ||
                         jinja::find_builtin(jinja::BuiltinKind::Function, first, true) != nullptr;
      if (!read.guarded && !known && !is_common(set, read.span)) check(read, set);
    }
  }
}

}  // namespace capwright
