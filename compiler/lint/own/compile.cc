// The environment of a rule's expressions, and the fields they refer to.
#include "lint/own/compile.h"

#include <algorithm>
#include <charconv>

#include "diag/catalog/tree.h"
#include "yaml/read.h"

namespace capwright::lint::own {
namespace {

// The longest path, if all others are its prefixes: the field that `has(a.b) && a.b.c == 1` checks.
std::optional<cel::FieldPath> only_path(const std::vector<cel::FieldPath>& paths) {
  const auto longest =
      std::max_element(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (longest == paths.end() || longest->empty()) return std::nullopt;
  const bool is_only = std::all_of(paths.begin(), paths.end(), [&](const cel::FieldPath& path) {
    return std::equal(path.begin(), path.end(), longest->begin());
  });
  return is_only ? std::optional(*longest) : std::nullopt;
}

void add_new(const std::vector<cel::FieldPath>& paths, std::vector<cel::FieldPath>& known) {
  for (const cel::FieldPath& path : paths) {
    if (std::find(known.begin(), known.end(), path) == known.end()) known.push_back(path);
  }
}

}  // namespace

cel::FieldPath read_field_path(std::string_view text) {
  cel::FieldPath path;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("['")) {
      const std::size_t end = std::min(text.find("']", at), text.size());
      path.push_back({text.substr(at + 2, end - at - 2)});
      at = end + 2;
    } else if (text[at] == '[') {
      const std::size_t end = std::min(text.find(']', at), text.size());
      std::uint32_t index = 0;
      std::from_chars(text.data() + at + 1, text.data() + end, index);
      path.push_back({{}, index});
      at = end + 1;
    } else {
      if (text[at] == '.') ++at;
      const std::size_t end = std::min(text.find_first_of(".[", at), text.size());
      path.push_back({text.substr(at, end - at)});
      at = end;
    }
  }
  return path;
}

RuleCompiler::RuleCompiler(Rule& rule, Stage& stage) : rule_(rule), stage_(stage) {
  environment_.variables.push_back({"object"});
  if (rule.is_policy) {
    for (const std::string_view name : {"oldObject", "request", "namespaceObject"})
      environment_.variables.push_back({name});
  } else {
    environment_.variables.push_back({"cluster.name", cel::simple(cel::TypeKind::String)});
    environment_.variables.push_back({"cluster.values"});
  }
}

void RuleCompiler::report(const Value& text, const cel::Issue& issue) {
  const Span where = span_inside(text, issue.begin, issue.end, stage_);
  Diagnostic& diagnostic = stage_.sink.report(diag::own_rule_expression, where, issue.message);
  if (!issue.help.empty()) diagnostic.advise(issue.help);
}

// A policy that uses variables only known in a running cluster.
bool RuleCompiler::report_unsupported(const Value& text, const cel::Issue& issue) {
  const std::string_view name = text.text().substr(issue.begin, issue.end - issue.begin);
  if (!rule_.is_policy || (name != "authorizer" && name != "params")) return false;
  stage_.sink
      .report(diag::unsupported_policy, span_inside(text, issue.begin, issue.end, stage_),
              "`" + std::string(name) + "` isn't known without a cluster")
      .advise("leave the policy out of `lint.rules`");
  return true;
}

std::optional<Expression> RuleCompiler::compile(const Value& text, std::optional<cel::TypeKind> result) {
  environment_.result = result;
  cel::Compiled compiled = cel::compile(text.text(), environment_);
  const bool is_unsupported = std::any_of(compiled.issues.begin(), compiled.issues.end(),
                                          [&](const cel::Issue& issue) { return report_unsupported(text, issue); });
  for (const cel::Issue& issue : compiled.issues) {
    if (!is_unsupported) report(text, issue);
  }
  if (compiled.program == nullptr) return std::nullopt;
  Expression expression{std::move(compiled.program), {}};
  for (std::size_t i = 0; i < rule_.variables.size(); ++i) {
    if (expression.program->uses(rule_.variables[i].name)) expression.variables.push_back(i);
  }
  return expression;
}

void RuleCompiler::add_variables(const Value& list) {
  for (const Value& item : list.items()) {
    const std::string_view name = stage_.arena.text("variables." + std::string(item.text_at("name")));
    const Value& own_name = *item.find("name");
    const bool is_known = std::any_of(environment_.variables.begin(), environment_.variables.end(),
                                      [&](const cel::Variable& variable) { return variable.name == name; });
    if (is_known) {
      const auto size = static_cast<std::uint32_t>(own_name.text().size());
      report(own_name, {0, size, "`" + std::string(name) + "` is declared above", ""});
      continue;
    }
    std::optional<Expression> expression = compile(*item.find("expression"), std::nullopt);
    // Keeps the name of a variable that doesn't compile, so that one mistake is one finding.
    if (!expression) {
      environment_.variables.push_back({name});
      continue;
    }
    environment_.variables.push_back({name, &expression->program->type()});
    of_variables_.push_back(fields_of(*expression));
    rule_.variables.push_back({name, std::move(*expression)});
  }
}

void RuleCompiler::add_conditions(const Value& list) {
  for (const Value& item : list.items()) {
    if (std::optional<Expression> expression = compile(*item.find("expression"), cel::TypeKind::Bool))
      rule_.conditions.push_back({item.text_at("name"), std::move(*expression)});
  }
}

RuleCompiler::Fields RuleCompiler::fields_of(const Expression& expression) const {
  Fields fields;
  add_new(expression.program->fields_of("object"), fields.object);
  add_new(expression.program->fields_of("cluster.values"), fields.values);
  for (const std::size_t used : expression.variables) {
    add_new(of_variables_[used].object, fields.object);
    add_new(of_variables_[used].values, fields.values);
  }
  return fields;
}

void RuleCompiler::add_validations(const Value& list) {
  for (const Value& item : list.items()) {
    std::optional<Expression> expression = compile(*item.find("expression"), cel::TypeKind::Bool);
    Validation validation;
    if (const Value* message = item.find("messageExpression"))
      validation.message_expression = compile(*message, cel::TypeKind::String);
    if (!expression) continue;
    validation.expression = std::move(*expression);
    validation.message = item.text_at("message");
    validation.help = item.text_at("help");
    if (const std::string_view path = item.text_at("fieldPath"); !path.empty()) {
      validation.field = read_field_path(path);
      validation.field_is_given = true;
    } else {
      const Fields fields = fields_of(validation.expression);
      validation.field = only_path(fields.object);
      if (fields.object.empty()) validation.value = only_path(fields.values);
    }
    rule_.validations.push_back(std::move(validation));
  }
}

}  // namespace capwright::lint::own
