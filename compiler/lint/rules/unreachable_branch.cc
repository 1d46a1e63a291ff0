// CAP111: unreachable parts of a template.
#include <algorithm>
#include <optional>

#include "lint/engine/rule.h"
#include "lint/model/template_reads.h"
#include "lint/model/template_tree.h"

namespace capwright::lint::rules::unreachable_branch {
namespace {

using jinja::Expr;
using jinja::NodeKind;

// For a literal, or its negation; empty if it depends on values.
std::optional<bool> constant_truth(const Expr& expr) {
  if (expr.kind == NodeKind::Not) {
    const std::optional<bool> operand = constant_truth(*static_cast<const jinja::Unary&>(expr).operand);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (expr.kind != NodeKind::Constant) return std::nullopt;
  const auto& constant = static_cast<const jinja::Constant&>(expr);
  if (!constant.big_integer.empty()) return true;
  switch (constant.value.kind()) {
    case Kind::Bool: return constant.value.as_bool();
    case Kind::Int: return constant.value.as_int() != 0;
    case Kind::String: return !constant.value.text().empty();
    case Kind::Null: return false;
    default: return std::nullopt;
  }
}

// A call may return a different result the second time.
bool has_call(const Expr& expr) {
  bool found = false;
  for_each_part(expr, [&](const Expr& part) { found = found || part.kind == NodeKind::Call; });
  return found;
}

bool is_blank(const jinja::Stmt& node) {
  if (node.kind != NodeKind::Output) return false;
  const auto parts = static_cast<const jinja::Output&>(node).parts;
  return std::all_of(parts.begin(), parts.end(), [](const jinja::OutputPart& part) {
    return part.expr == nullptr && part.text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  });
}

class Branches {
 public:
  Branches(const Cluster& cluster, Report& report) : cluster_(cluster), report_(report) {}

  void run(jinja::Body body) {
    behind_jump(body);
    for (const jinja::Stmt* node : body) {
      if (node->kind == NodeKind::If) conditions(static_cast<const jinja::If&>(*node));
      if (node->kind == NodeKind::For) loop(static_cast<const jinja::For&>(*node));
      for_each_body(*node, [&](jinja::Body inside) { run(inside); });
    }
  }

 private:
  std::string_view text(const Expr& expr) const { return cluster_.sources().text(expr.span); }

  void conditions(const jinja::If& node) {
    const Expr* certain = nullptr;
    for (std::size_t i = 0; i < node.branches.size(); ++i) {
      const Expr& test = *node.branches[i].test;
      const std::optional<bool> truth = constant_truth(test);
      if (certain != nullptr) return behind(test.span, *certain);
      if (truth == false) {
        report_.at_source(cluster_, test.span, "`{}` is never true", text(test))
            .help("remove the branch, or comment it out: {{# … #}}");
      } else if (truth == true) {
        certain = &test;
      } else if (!has_call(test)) {
        repeated(node, i);
      }
    }
    if (certain != nullptr && !node.otherwise.empty()) behind(node.otherwise.front()->span, *certain);
  }

  void behind(Span span, const Expr& certain) {
    report_.at_source(cluster_, span, "unreachable: `{}` is always true", text(certain))
        .help("remove the branch, or the condition before it")
        .related.push_back({{&cluster_, nullptr, certain.span, nullptr, {}}, "always true"});
  }

  void repeated(const jinja::If& node, std::size_t number) {
    const Expr& test = *node.branches[number].test;
    for (std::size_t i = 0; i < number; ++i) {
      const Expr& earlier = *node.branches[i].test;
      if (text(earlier) != text(test)) continue;
      report_.at_source(cluster_, test.span, "unreachable: `{}` is the condition of an earlier branch", text(test))
          .help("remove the branch, or correct its condition")
          .related.push_back({{&cluster_, nullptr, earlier.span, nullptr, {}}, "the same condition"});
      return;
    }
  }

  void loop(const jinja::For& node) {
    if (node.iterable->kind != NodeKind::List) return;
    if (!static_cast<const jinja::ListLiteral&>(*node.iterable).items.empty()) return;
    report_.at_source(cluster_, node.iterable->span, "a loop over an empty list does nothing").help("remove the loop");
  }

  void behind_jump(jinja::Body body) {
    const jinja::Stmt* jump = nullptr;
    for (const jinja::Stmt* node : body) {
      if (jump != nullptr && !is_blank(*node)) {
        const bool is_break = jump->kind == NodeKind::Break;
        report_.at_source(cluster_, node->span, "unreachable after `{}`", is_break ? "break" : "continue")
            .help("remove it, or move it before")
            .related.push_back({{&cluster_, nullptr, jump->span, nullptr, {}}, "the iteration ends here"});
        return;
      }
      if (node->kind == NodeKind::Break || node->kind == NodeKind::Continue) jump = node;
    }
  }

  const Cluster& cluster_;
  Report& report_;
};

void check(const TemplateSet& set, const Cluster& cluster, Report& report) {
  Branches branches(cluster, report);
  for (const jinja::Template* parsed : all_templates(set)) branches.run(parsed->body);
}

}  // namespace

CW_LINT_RULE(unreachable_branch){
    .code = "CAP111",
    .name = "unreachable-branch",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a part of a template that is never rendered, whatever the values are.

## Why is this bad?

The part was disabled and forgotten, or its condition was copied and not changed. Edits in it have no effect.

The rule finds constant conditions, branches after one that is always true, a condition that an earlier branch of the same
`if` already has, loops over an empty list, and statements after `break` or `continue`. It doesn't consider which values a
schema allows.

## Example

```yaml file=values.yaml
cluster_name: a
type: rke2
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
kind: ConfigMap
{% if false %}{# warning: [unreachable-branch] "`false` is never true" #}
old: 1
{% endif %}
{% if type == "kubeadm" %}
flavor: kubeadm
{% elif type == "rke2" %}
flavor: rke2
{% elif type == "kubeadm" %}{# warning: [unreachable-branch] "unreachable: `type == " #}
flavor: k3s
{% endif %}
{% if true %}
a: 1
{% elif type %}{# warning: [unreachable-branch] "unreachable: `true` is always true" #}
a: 2
{% endif %}
{% for item in [] %}{# warning: [unreachable-branch] "a loop over an empty list" #}
b: 1
{% endfor %}
{% for item in [1, 2] %}
{% break %}{# warning: [unreachable-branch] "after `break`" #}{{ item }}
{% endfor %}
```

## Use instead

```yaml file=values.yaml
cluster_name: a
type: rke2
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
kind: ConfigMap
{% if type == "kubeadm" %}
flavor: kubeadm
{% elif type == "rke2" %}
flavor: rke2
{% else %}
flavor: k3s
{% endif %}
{% for item in ["a", "b"] %}
{% if item == "b" %}{% continue %}{% endif %}
{{ item }}: 1
{% endfor %}
```
)md",
    .check_set = check,
};

}  // namespace capwright::lint::rules::unreachable_branch
