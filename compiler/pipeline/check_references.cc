// One pass over the references that the resolver collected.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "diag/catalog/template_syntax.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "facts/built_in.h"
#include "pipeline/template_set.h"
#include "template/builtins/builtin.h"
#include "values/merge.h"
#include "yaml/read.h"

namespace capwright {
namespace {

using jinja::PathStep;

// A partial may read names from the template that includes it, so definitions count in the whole set.
std::set<std::string_view> defined_names(const TemplateSet& set) {
  std::set<std::string_view> names{"image_tags", "delivery"};  // every set sees them beside the values
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

// Common partials check the provider before they read keys that only some providers' schemas declare.
bool is_common(const TemplateSet& set, Span span) {
  return set.sources.path(span.file).find("/common/") != std::string_view::npos;
}

// A copy of a common partial in an ejected set.
bool is_named_as_common(std::string_view name) {
  const std::string path = fmt::format("templates/common/{}", name);
  const auto files = embedded::files();
  const auto found = std::lower_bound(files.begin(), files.end(), path,
                                      [](const embedded::File& file, const std::string& p) { return file.path < p; });
  return found != files.end() && found->path == path;
}

// The schemas of all built-in sets, loaded on first use.
class BuiltInSchemas {
 public:
  const std::vector<std::shared_ptr<const schema::Schema>>& all() {
    if (schemas_.empty()) read();
    return schemas_;
  }

 private:
  void read() {
    constexpr std::string_view kEnd = "/values.schema.json";
    Stage stage{sources_, sink_, arena_, origins_, limits_};
    const auto document = [&](std::string_view path) {
      return read_yaml(sources_.add(std::string(path), std::string(built_in_text(path))), stage);
    };
    const Value common = document("schemas/values/common.schema.json");
    for (const embedded::File& file : embedded::files()) {
      if (file.path.starts_with("templates/") && file.path.ends_with(kEnd))
        schemas_.push_back(schema::compile(values::merge_schemas(common, document(file.path), arena_), stage));
    }
  }

  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  std::vector<std::shared_ptr<const schema::Schema>> schemas_;
};

class References {
 public:
  explicit References(TemplateSet& set) : set_(set) {}

  void check(const jinja::ReadPath& read, std::string_view in_template) {
    // The last key of a called path is a method: `labels.items()`.
    const auto steps = read.called ? read.steps.first(read.steps.size() - 1) : read.steps;
    if (steps.empty()) return;
    const std::vector<std::string_view> keys = keys_of(steps);
    schema::Declaration found = schema::find_declaration(*set_.schema, keys);
    if (found.declared != schema::Declared::No) return;
    if (is_named_as_common(in_template)) found = widest(std::move(found), keys);
    if (found.declared != schema::Declared::No) return;
    Diagnostic& diagnostic =
        set_.sink.report(diag::undeclared_value, read.span, jinja::path_text(steps.first(found.known + 1)));
    if (std::string help = did_you_mean(keys[found.known], found.candidates); !help.empty())
      diagnostic.advise(std::move(help));
  }

 private:
  // The declaration in the schema that knows most of a path: a common partial checks the provider before it reads keys
  // of that provider.
  schema::Declaration widest(schema::Declaration found, std::span<const std::string_view> keys) {
    for (const auto& schema : built_in_.all()) {
      schema::Declaration other = schema::find_declaration(*schema, keys);
      if (other.declared != schema::Declared::No || other.known > found.known) found = std::move(other);
      if (found.declared != schema::Declared::No) break;
    }
    return found;
  }

  TemplateSet& set_;
  BuiltInSchemas built_in_;
};

}  // namespace

void check_references(TemplateSet& set) {
  // A template with a syntax error may define any of the names, and a schema with an error declare them.
  if (set.schema == nullptr || set.sink.failed()) return;
  const std::set<std::string_view> defined = defined_names(set);
  References references(set);
  for (const auto& [name, parsed] : set.templates) {
    for (const jinja::ReadPath& read : parsed->references.reads) {
      const std::string_view first = read.steps.front().key;
      const bool known = first == "addons" || defined.contains(first) ||
                         jinja::find_builtin(jinja::BuiltinKind::Function, first, true) != nullptr;
      if (!read.guarded && !known && !is_common(set, read.span)) references.check(read, name);
    }
  }
}

}  // namespace capwright
