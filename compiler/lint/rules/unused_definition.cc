// CAP109: unused definitions in templates.
#include <algorithm>
#include <map>
#include <set>

#include "lint/engine/rule.h"
#include "lint/model/template_reads.h"
#include "lint/model/template_tree.h"

namespace capwright::lint::rules::unused_definition {
namespace {

using jinja::Definition;
using jinja::NodeKind;

// Names that one template may take from another, with the templates that do.
struct Taken {
  using ByName = std::map<std::string_view, std::set<const jinja::Template*>>;
  ByName from_context;  // names around an `include`, and names that an extended template reads
  ByName imported;      // `from … import name`
  ByName members;       // `module.name`
};

Taken taken_names(const Templates& templates) {
  Taken taken;
  for (const jinja::Template* parsed : templates) {
    for (const jinja::ReadPath& read : parsed->references.reads)
      taken.from_context[read.steps.front().key].insert(parsed);
    for_each_statement(parsed->body, [&](const jinja::Stmt& node) {
      if (node.kind == NodeKind::FromImport) {
        for (const jinja::ImportedName& name : static_cast<const jinja::FromImport&>(node).names)
          taken.imported[name.name.text].insert(parsed);
      }
      for_each_expression(node, [&](const jinja::Expr& expr) {
        for_each_part(expr, [&](const jinja::Expr& part) {
          if (part.kind == NodeKind::GetAttr)
            taken.members[static_cast<const jinja::GetAttr&>(part).name.text].insert(parsed);
        });
      });
    });
  }
  return taken;
}

bool is_taken(const Taken::ByName& names, std::string_view name, const jinja::Template* own) {
  const auto found = names.find(name);
  return found != names.end() && (found->second.size() > 1 || !found->second.contains(own));
}

bool is_used(const Definition& definition, const jinja::Template& own, const Taken& taken) {
  if (definition.read || is_taken(taken.from_context, definition.name, &own)) return true;
  // A block only sees the context of its own template.
  if (!definition.toplevel) return false;
  return taken.from_context.contains(definition.name) || is_taken(taken.imported, definition.name, &own) ||
         is_taken(taken.members, definition.name, &own);
}

// Whether it shadows, or reassigns, a definition that is used (CAP110 reports this).
bool repeats(const Definition& definition, const jinja::Template& own) {
  const auto all = own.references.definitions;
  return std::any_of(all.begin(), all.end(), [&](const Definition& other) {
    return other.read && other.name == definition.name && other.kind != Definition::Kind::Parameter;
  });
}

std::string_view words_for(Definition::Kind kind) {
  switch (kind) {
    case Definition::Kind::Macro: return "macro";
    case Definition::Kind::Import: return "import";
    default: return "set";
  }
}

bool is_looked_at(const Definition& definition, bool is_common) {
  const bool has_kind = definition.kind == Definition::Kind::Set || definition.kind == Definition::Kind::Macro ||
                        definition.kind == Definition::Kind::Import;
  if (!has_kind || definition.name.starts_with('_')) return false;
  // Definitions of the common files are for all sets.
  return !is_common || !definition.toplevel || definition.kind == Definition::Kind::Import;
}

void check(const TemplateSet& set, const Cluster& cluster, Report& report) {
  const Templates templates = all_templates(set);
  const Taken taken = taken_names(templates);
  for (const jinja::Template* parsed : templates) {
    const bool is_common = set.sources.path(parsed->file).find("/common/") != std::string_view::npos;
    const std::set<Span> changing = changing_sets(*parsed);
    for (const Definition& definition : parsed->references.definitions) {
      if (!is_looked_at(definition, is_common) || is_used(definition, *parsed, taken)) continue;
      if (changing.contains(definition.span) || repeats(definition, *parsed)) continue;
      report
          .at_source(cluster, definition.span, "`{}` is defined by `{}`, but nothing uses it", definition.name,
                     words_for(definition.kind))
          .help("remove it");
    }
  }
}

}  // namespace

CW_LINT_RULE(unused_definition){
    .code = "CAP109",
    .name = "unused-definition",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a name that a template sets, imports or defines and nothing uses.

## Why is this bad?

The definition is left over, or the place that should use it spells the name differently. It misleads readers of the
template.

A name counts as used if its template reads it before or after the definition, if an included or extended template may read
it, or if another template imports it. `{% set x = list.append(1) %}` counts as a change of the list. Names that start with
`_`, and names that files in the folder `common` offer to all sets, are never reported.

## Example

```yaml file=values.yaml
cluster_name: a
```
```jinja file=main.j2
{# warning: [unused-definition] "`labels` is defined by `import`" #}
{% from "macros.j2" import name, labels %}
{% set region = "eu" %}{# warning: [unused-definition] "`region` is defined by `set`" #}
# FILE: clusters/{{ cluster_name }}/app.yaml
name: {{ name() }}
```
```jinja file=macros.j2
{% macro name() %}app{% endmacro %}
{% macro labels() %}{}{% endmacro %}
{% macro unused() %}{% endmacro %}{# warning: [unused-definition] "`unused` is defined by `macro`" #}
```

## Use instead

```yaml file=values.yaml
cluster_name: a
```
```jinja file=main.j2
{% import "macros.j2" as macros %}
{% set region = "eu" %}
{% set list = [] %}
{% set added = list.append(1) %}
{% set _ = list %}
# FILE: clusters/{{ cluster_name }}/app.yaml
name: {{ macros.name() }}
{% include "part.j2" %}
```
```jinja file=macros.j2
{% macro suffix() %}-1{% endmacro %}
{% macro name() %}app{{ suffix() }}{% endmacro %}
```
```jinja file=part.j2
region: {{ region }}
```
)md",
    .check_set = check,
};

}  // namespace capwright::lint::rules::unused_definition
