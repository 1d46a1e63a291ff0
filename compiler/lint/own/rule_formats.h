// The two formats of rules: capwright's own, and Kubernetes' ValidatingAdmissionPolicy. Documents must be valid by
// their schemas.
#pragma once
#include "lint/own/own_rule.h"
#include "value/stage.h"

namespace capwright::lint::own {

// The Strings of a list; empty when the key is missing.
std::vector<std::string_view> texts_at(const Value& map, std::string_view key);

void read_own_form(const Value& document, Stage& stage, Rule& rule);
void read_policy(const Value& document, Stage& stage, Rule& rule);

// A ValidatingAdmissionPolicyBinding.
struct Binding {
  std::string_view policy;
  Resources resources;
  Severity severity = Severity::Error;  // of its most severe action
};
Binding read_binding(const Value& document);

// For `capwright explain` and reports: the docs and examples of a rule in capwright's format, or the contents of a
// policy.
std::string page_of(const Rule& rule, std::string_view docs);
std::string page_of_policy(const Rule& rule);

}  // namespace capwright::lint::own
