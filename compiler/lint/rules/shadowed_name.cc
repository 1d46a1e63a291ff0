// CAP110: names that shadow others of the same name.
#include <algorithm>
#include <map>

#include "lint/engine/rule.h"
#include "lint/model/template_reads.h"
#include "lint/model/template_tree.h"

namespace capwright::lint::rules::shadowed_name {
namespace {

using jinja::Expr;
using jinja::NodeKind;

bool reads_name(const Expr& expr, std::string_view name) {
  bool found = false;
  for_each_part(expr, [&](const Expr& part) {
    found = found || (part.kind == NodeKind::Name && static_cast<const jinja::Name&>(part).id.text == name);
  });
  return found;
}

// Walks one template with the names of each scope. `if` has no scope.
class ScopeWalk {
 public:
  ScopeWalk(const Cluster& cluster, Report& report) : cluster_(cluster), report_(report) {}

  void run(const jinja::Template& parsed) {
    scopes_.assign(1, {});
    body(parsed.body);
  }

 private:
  enum class Kind : std::uint8_t { Set, Loop, With, Parameter };
  struct Name {
    Kind kind;
    Span span;
  };
  using Scope = std::map<std::string_view, Name>;

  void body(jinja::Body statements) {
    for (const jinja::Stmt* node : statements) statement(*node);
  }

  void statement(const jinja::Stmt& node) {
    switch (node.kind) {
      case NodeKind::If: for_each_body(node, [&](jinja::Body inside) { body(inside); }); return;
      case NodeKind::Assign: {
        const auto& assign = static_cast<const jinja::Assign&>(node);
        if (assign.target->kind == NodeKind::Name && !is_changing_call(*assign.value))
          define(static_cast<const jinja::Name&>(*assign.target), Kind::Set);
        return;
      }
      case NodeKind::For: return loop(static_cast<const jinja::For&>(node));
      case NodeKind::Macro: return macro(static_cast<const jinja::Macro&>(node));
      case NodeKind::With: {
        const auto& with = static_cast<const jinja::With&>(node);
        scopes_.emplace_back();
        for (const jinja::WithBinding& binding : with.bindings) add_targets(*binding.target, Kind::With);
        body(with.body);
        scopes_.pop_back();
        return;
      }
      default:
        for_each_body(node, [&](jinja::Body inside) {
          scopes_.emplace_back();
          body(inside);
          scopes_.pop_back();
        });
    }
  }

  void loop(const jinja::For& node) {
    scopes_.emplace_back();
    targets(*node.target, *node.iterable);
    body(node.body);
    scopes_.pop_back();
    scopes_.emplace_back();
    body(node.otherwise);
    scopes_.pop_back();
  }

  // A macro sees the names around it, but its own names are meant to be local.
  void macro(const jinja::Macro& node) {
    std::vector<Scope> around = std::move(scopes_);
    scopes_.assign(1, {});
    for (const jinja::Parameter& parameter : node.signature.parameters)
      scopes_.back().emplace(parameter.name->id.text, Name{Kind::Parameter, parameter.name->span});
    body(node.body);
    scopes_ = std::move(around);
  }

  void add_targets(const Expr& target, Kind kind) {
    if (target.kind == NodeKind::Name) {
      const auto& name = static_cast<const jinja::Name&>(target);
      scopes_.back().emplace(name.id.text, Name{kind, name.span});
    } else if (target.kind == NodeKind::Tuple) {
      for (const Expr* item : static_cast<const jinja::Tuple&>(target).items) add_targets(*item, kind);
    }
  }

  void targets(const Expr& target, const Expr& iterable) {
    if (target.kind == NodeKind::Tuple) {
      for (const Expr* item : static_cast<const jinja::Tuple&>(target).items) targets(*item, iterable);
    } else if (target.kind == NodeKind::Name) {
      const auto& name = static_cast<const jinja::Name&>(target);
      if (reads_name(iterable, name.id.text)) scopes_.back().emplace(name.id.text, Name{Kind::Loop, name.span});
      else define(name, Kind::Loop);
    }
  }

  const Name* outer(std::string_view name) const {
    for (std::size_t i = scopes_.size() - 1; i-- > 0;) {
      if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &found->second;
    }
    return nullptr;
  }

  void define(const jinja::Name& name, Kind kind) {
    const auto [own, is_new] = scopes_.back().emplace(name.id.text, Name{kind, name.span});
    if (!is_new || name.id.text.starts_with('_')) return;
    const Name* hidden = outer(name.id.text);
    if (hidden == nullptr) return;
    Finding& finding =
        kind == Kind::Set
            ? report_.at_source(cluster_, name.span, "this `{}` ends with its block", name.id.text)
                  .note("the outer one keeps its value")
                  .help("use another name; to change a value from inside a loop, set a member of a `namespace()`")
            : report_.at_source(cluster_, name.span, "`{}` hides another `{}`", name.id.text, name.id.text)
                  .help("use another name");
    finding.related.push_back({{&cluster_, nullptr, hidden->span, nullptr, {}}, "the outer one"});
  }

  const Cluster& cluster_;
  Report& report_;
  std::vector<Scope> scopes_;
};

void check(const TemplateSet& set, const Cluster& cluster, Report& report) {
  ScopeWalk walk(cluster, report);
  for (const jinja::Template* parsed : all_templates(set)) walk.run(*parsed);
}

}  // namespace

CW_LINT_RULE(shadowed_name){
    .code = "CAP110",
    .name = "shadowed-name",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a name inside a loop or block that hides a name from outside.

## Why is this bad?

A `set` in a loop creates a name that exists only in that iteration, so the outer name keeps its value. A template that searches
a list this way finds nothing, without an error. A loop variable with the name of an outer variable hides it in the whole
loop body.

`if` isn't a scope: names set inside it remain. Parameters of macros may have any name.

## Example

```yaml file=values.yaml
cluster_name: a
pools: [{name: small, gpu: true}]
```
```jinja file=main.j2
{% set has_gpu = false %}
{% for pool in pools %}
{# warning: [shadowed-name] "this `has_gpu` ends with its block" #}
{% if pool.gpu %}{% set has_gpu = true %}{% endif %}
{% endfor %}
# FILE: clusters/{{ cluster_name }}/app.yaml
gpu: {{ has_gpu }}
```

## Use instead

```yaml file=values.yaml
cluster_name: a
pools: [{name: small, gpu: true}]
```
```jinja file=main.j2
{% set found = namespace(gpu=false) %}
{% for pool in pools %}
{% if pool.gpu %}{% set found.gpu = true %}{% endif %}
{% endfor %}
{% macro line(pool) %}{% set text = pool %}{{ text }}{% endmacro %}
{% if found.gpu %}{% set text = "yes" %}{% else %}{% set text = "no" %}{% endif %}
# FILE: clusters/{{ cluster_name }}/app.yaml
gpu: "{{ text }}"
{% for pool in pools %}
{{ line(pool.name) }}: 1
{% endfor %}
```
)md",
    .check_set = check,
};

}  // namespace capwright::lint::rules::shadowed_name
