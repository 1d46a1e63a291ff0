// A rule of the repository's own: expressions over an object, from a YAML file. read.h reads rules, run.h runs them,
// examples.h tests them. All views live as long as the Stage that the rules were read in.
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

// A compiled expression, and which of the rule's variables it names.
struct Expression {
  std::shared_ptr<const cel::Program> program;
  std::vector<std::size_t> variables;
};

struct Named {
  std::string_view name;  // of a variable with `variables.` in front
  Expression expression;
};

struct Validation {
  Expression expression;
  std::optional<Expression> message_expression;
  std::string_view message;  // empty: the expression is shown
  std::string_view help;     // what to do; may be empty
  // Where to point: below the object, or below the cluster's values. Neither: at the object, unless what failed is one
  // field.
  std::optional<cel::FieldPath> field, value;
  bool field_is_given = false;  // by `fieldPath`
};

// What a rule is for. Lists of globs; an empty one takes everything.
struct Match {
  std::vector<std::string_view> kinds, groups, versions, names, namespaces, clusters;
  std::vector<std::pair<std::string_view, std::string_view>> labels;  // all of them
};

// A label selector of Kubernetes.
struct LabelSelector {
  struct Requirement {
    enum class Operator : std::uint8_t { In, NotIn, Exists, DoesNotExist };
    std::string_view key;
    Operator op = Operator::In;
    std::vector<std::string_view> values;
  };
  std::vector<Requirement> requirements;  // all of them
};

struct ResourceRule {
  std::vector<std::string_view> groups, versions, resources, names;
  std::string_view scope;  // "Namespaced", "Cluster"; "*" or empty: both
};

// `matchConstraints` of a policy, `matchResources` of a binding.
struct Resources {
  std::vector<ResourceRule> rules, excluded;
  LabelSelector objects, namespaces;
  bool all = false;  // a binding that has no rules of its own takes what its policy takes
};

struct Example {
  Value invalid, valid;      // texts as they stand in the file; null: none
  std::string_view message;  // a part of what has to be said; may be empty
  Value fixed;               // null: none
  std::string_view cluster;  // `cluster.name`
  Value values;              // `cluster.values`
};

struct Rule {
  std::string_view code;  // "ORG001"
  std::string_view name;  // "team-label"
  Severity severity = Severity::Error;
  std::string page;   // Markdown: docs and examples
  std::string kinds;  // what it is for, in words of its file
  DiagInfo info;      // of what it finds
  Span where;         // of its code
  Match match;
  std::optional<Resources> resources;  // of a ValidatingAdmissionPolicy
  std::vector<Resources> bindings;     // one of them, if there are any
  std::vector<Named> variables, conditions;
  std::vector<Validation> validations;
  std::vector<Example> examples;
  bool is_policy = false;
  bool severity_is_given = false;  // of a policy: its bindings have no say
  bool ignores_failures = false;   // `failurePolicy: Ignore`
};

using Rules = std::deque<Rule>;

// By code or name; null when there is none.
const Rule* find_rule(const Rules& rules, std::string_view code_or_name);

}  // namespace capwright::lint::own
