// Parts of a schema that are compiled at their first use.
#include "crd/program.h"

#include "base/check.h"

namespace capwright::crd {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::Any: return "";
    case Type::Object: return "object";
    case Type::Array: return "array";
    case Type::String: return "string";
    case Type::Integer: return "integer";
    case Type::Number: return "number";
    case Type::Boolean: return "boolean";
  }
  CW_UNREACHABLE("a Type has no such value");
}

bool Pattern::matches(std::string_view text) const {
  std::call_once(once_, [this] {
    RegexFault fault;
    regex_ = Regex::compile(text_, {.dialect = RegexDialect::Re2}, fault);
  });
  return regex_ && regex_->matches(text);
}

const Pattern* PatternSet::find(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
  const Pattern& pattern = patterns_.emplace_back(text);
  return by_text_[pattern.text()] = &pattern;
}

void RuleSet::compile() const {
  const cel::Schema* self = cel::read_schema(schema_, role_, arena_);
  for (const Rule& rule : rules_) {
    cel::Environment environment = cel::rule_environment(*self, rule.optional_old_self, arena_);
    CompiledRule compiled{&rule, cel::compile(rule.text, environment).program, nullptr, false};
    if (compiled.program != nullptr) compiled.transition = !rule.optional_old_self && compiled.program->uses("oldSelf");
    if (!rule.message_expression.empty()) {
      environment.result = cel::TypeKind::String;
      compiled.message = cel::compile(rule.message_expression, environment).program;
    }
    compiled_.push_back(std::move(compiled));
  }
}

const std::vector<CompiledRule>& RuleSet::compiled() const {
  std::call_once(once_, [this] { compile(); });
  return compiled_;
}

std::vector<std::string> RuleSet::faults() const {
  std::vector<std::string> faults;
  Arena arena;
  const cel::Schema* self = cel::read_schema(schema_, role_, arena);
  for (const Rule& rule : rules_) {
    const cel::Environment environment = cel::rule_environment(*self, rule.optional_old_self, arena);
    for (const cel::Issue& issue : cel::compile(rule.text, environment).issues)
      faults.push_back("`" + std::string(rule.text) + "`: " + issue.message);
  }
  return faults;
}

}  // namespace capwright::crd
