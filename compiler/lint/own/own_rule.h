// One of the repository's own rules: expressions about an object, from a YAML file. read_rules.h reads rules, run.h
// runs them, run.h tests them. All views live as long as the Stage that read the rules.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/program.h"
#include "diag/diag.h"
#include "value/value.h"

namespace capwright::lint::own {

// A compiled expression, and the rule's variables that it uses.
struct Expression {
  std::shared_ptr<const cel::Program> program;
  std::vector<std::size_t> variables;
};

struct Named {
  std::string_view name;  // for a variable, with the prefix `variables.`
  Expression expression;
};

struct Validation {
  Expression expression;
  std::optional<Expression> message_expression;
  std::string_view message;  // empty: the expression is shown
  std::string_view help;     // the fix; may be empty
  // Where to report: below the object, or below the cluster's values. If neither is set: at the only field that the
  // expression reads, or at the object.
  std::optional<cel::FieldPath> field, value;
  bool field_is_given = false;  // by `fieldPath`
};

// The objects that a rule applies to: lists of globs; an empty list matches everything.
struct Match {
  std::vector<std::string_view> kinds, groups, versions, names, namespaces, clusters;
  std::vector<std::pair<std::string_view, std::string_view>> labels;  // all must match
};

// A label selector of Kubernetes.
struct LabelSelector {
  struct Requirement {
    enum class Operator : std::uint8_t { In, NotIn, Exists, DoesNotExist };
    std::string_view key;
    Operator op = Operator::In;
    std::vector<std::string_view> values;
  };
  std::vector<Requirement> requirements;  // all must match
};

struct ResourceRule {
  std::vector<std::string_view> groups, versions, resources, names;
  std::string_view scope;  // "Namespaced", "Cluster"; "*" or empty: both
};

// `matchConstraints` of a policy, `matchResources` of a binding.
struct Resources {
  std::vector<ResourceRule> rules, excluded;
  LabelSelector objects, namespaces;
  bool all = false;  // a binding without its own rules matches what its policy matches
};

struct Example {
  Value invalid, valid;      // texts as in the file; null: none
  std::string_view message;  // must be part of the message; may be empty
  Value fixed;               // null: none
  std::string_view cluster;  // `cluster.name`
  Value values;              // `cluster.values`
};

struct Rule {
  std::string_view code;  // "ORG001"
  std::string_view name;  // "team-label"
  Severity severity = Severity::Error;
  std::string page;   // Markdown: docs and examples
  std::string kinds;  // what it applies to, in the words of its file
  DiagInfo info;      // of its findings
  Span where;         // of its code
  Match match;
  std::optional<Resources> resources;  // of a ValidatingAdmissionPolicy
  std::vector<Resources> bindings;     // at least one must match, if there are any
  std::vector<Named> variables, conditions;
  std::vector<Validation> validations;
  std::vector<Example> examples;
  bool is_policy = false;
  bool severity_is_given = false;  // for a policy: its bindings don't set the severity
  bool ignores_failures = false;   // `failurePolicy: Ignore`
};

using Rules = std::deque<Rule>;

// By code or name; null if there is none.
const Rule* find_rule(const Rules& rules, std::string_view code_or_name);

}  // namespace capwright::lint::own
