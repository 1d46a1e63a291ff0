// admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy, as far as it can be evaluated without a cluster.
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
#include <algorithm>
#include <fmt/format.h>

#include "base/sha.h"
#include "diag/catalog/tree.h"
#include "lint/own/compile.h"
#include "lint/own/rule_formats.h"

namespace capwright::lint::own {
namespace {

using Requirement = LabelSelector::Requirement;
using Operator = LabelSelector::Requirement::Operator;

constexpr std::string_view kCode = "capwright/code", kSeverity = "capwright/severity";

Operator operator_of(std::string_view word) {
  if (word == "In") return Operator::In;
  if (word == "NotIn") return Operator::NotIn;
  return word == "Exists" ? Operator::Exists : Operator::DoesNotExist;
}

LabelSelector read_selector(const Value* section) {
  LabelSelector selector;
  if (section == nullptr || !section->is(Kind::Map)) return selector;
  if (const Value* labels = section->find("matchLabels")) {
    for (const Entry& label : labels->entries())
      selector.requirements.push_back({label.key.text(), Operator::In, {label.value.text()}});
  }
  if (const Value* expressions = section->find("matchExpressions")) {
    for (const Value& one : expressions->items())
      selector.requirements.push_back(
          {one.find("key")->text(), operator_of(one.find("operator")->text()), texts_at(one, "values")});
  }
  return selector;
}

// The rules that match the creation of an object.
std::vector<ResourceRule> read_rules_at(const Value& section, std::string_view key) {
  std::vector<ResourceRule> rules;
  const Value* list = section.find(key);
  if (list == nullptr) return rules;
  for (const Value& item : list->items()) {
    const std::vector<std::string_view> operations = texts_at(item, "operations");
    const bool creates = std::any_of(operations.begin(), operations.end(),
                                     [](std::string_view word) { return word == "CREATE" || word == "*"; });
    const Value* scope = item.find("scope");
    if (creates)
      rules.push_back({texts_at(item, "apiGroups"), texts_at(item, "apiVersions"), texts_at(item, "resources"),
                       texts_at(item, "resourceNames"), scope == nullptr ? std::string_view() : scope->text()});
  }
  return rules;
}

Resources read_resources(const Value* section) {
  Resources resources;
  if (section == nullptr) return resources;
  resources.rules = read_rules_at(*section, "resourceRules");
  resources.excluded = read_rules_at(*section, "excludeResourceRules");
  resources.objects = read_selector(section->find("objectSelector"));
  resources.namespaces = read_selector(section->find("namespaceSelector"));
  return resources;
}

std::string_view annotation(const Value& metadata, std::string_view key) {
  const Value* annotations = metadata.find("annotations");
  const Value* value = annotations == nullptr ? nullptr : annotations->find(key);
  return value == nullptr ? std::string_view() : value->text();
}

Severity severity_of(std::string_view word) {
  if (word == "note" || word == "info") return Severity::Note;
  if (word == "warning") return Severity::Warning;
  return Severity::Error;
}

// A stable code: independent of the machine, the run and other policies.
std::string_view code_by_name(std::string_view name, Arena& arena) {
  constexpr std::uint32_t kCodes = 100'000;
  const Sha256 digest = sha256(name);
  const std::uint32_t number = static_cast<std::uint32_t>((digest[0] << 16) | (digest[1] << 8) | digest[2]);
  return arena.text(fmt::format("VAP{:05}", number % kCodes));
}

}  // namespace

void read_policy(const Value& document, Stage& stage, Rule& rule) {
  const Value& metadata = *document.find("metadata");
  const Value& spec = *document.find("spec");
  const Value& name = *metadata.find("name");
  rule.is_policy = true;
  rule.name = name.text();
  const std::string_view code = annotation(metadata, kCode);
  rule.code = code.empty() ? code_by_name(rule.name, stage.arena) : code;
  rule.where = stage.origins[name.origin()].span;
  rule.severity = severity_of(annotation(metadata, kSeverity));
  rule.severity_is_given = !annotation(metadata, kSeverity).empty();
  if (const Value* parameters = spec.find("paramKind"); parameters != nullptr && !parameters->is(Kind::Null))
    stage.sink
        .report(diag::unsupported_policy, stage.origins[parameters->origin()].span,
                "the parameters of a policy aren't known without a cluster")
        .advise("leave the policy out of `lint.rules`");
  if (const Value* failures = spec.find("failurePolicy")) rule.ignores_failures = failures->text() == "Ignore";
  rule.resources = read_resources(spec.find("matchConstraints"));
  RuleCompiler compiler(rule, stage);
  if (const Value* variables = spec.find("variables")) compiler.add_variables(*variables);
  if (const Value* conditions = spec.find("matchConditions")) compiler.add_conditions(*conditions);
  if (const Value* validations = spec.find("validations")) compiler.add_validations(*validations);
  rule.page = page_of_policy(rule);
}

Binding read_binding(const Value& document) {
  const Value& spec = *document.find("spec");
  Binding binding;
  binding.policy = spec.find("policyName")->text();
  binding.resources = read_resources(spec.find("matchResources"));
  binding.resources.all = binding.resources.rules.empty();
  const std::vector<std::string_view> actions = texts_at(spec, "validationActions");
  const auto has = [&](std::string_view action) {
    return std::find(actions.begin(), actions.end(), action) != actions.end();
  };
  if (has("Deny")) binding.severity = Severity::Error;
  else if (has("Warn")) binding.severity = Severity::Warning;
  else binding.severity = Severity::Note;
  return binding;
}

}  // namespace capwright::lint::own
