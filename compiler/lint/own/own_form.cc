// capwright's own format: schemas/rules/rule.schema.json.
#include "lint/own/compile.h"
#include "lint/own/rule_formats.h"

namespace capwright::lint::own {
namespace {

Match read_match(const Value& section) {
  Match match;
  match.kinds = texts_at(section, "kinds");
  match.groups = texts_at(section, "groups");
  match.versions = texts_at(section, "versions");
  match.names = texts_at(section, "names");
  match.namespaces = texts_at(section, "namespaces");
  match.clusters = texts_at(section, "clusters");
  if (const Value* labels = section.find("labels")) {
    for (const Entry& label : labels->entries()) match.labels.emplace_back(label.key.text(), label.value.text());
  }
  return match;
}

Severity severity_of(const Value* word) {
  if (word == nullptr || word->text() == "error") return Severity::Error;
  return word->text() == "warning" ? Severity::Warning : Severity::Note;
}

Example read_example(const Value& document) {
  Example example;
  if (const Value* invalid = document.find("invalid")) example.invalid = *invalid;
  if (const Value* valid = document.find("valid")) example.valid = *valid;
  if (const Value* message = document.find("message")) example.message = message->text();
  if (const Value* fixed = document.find("fix")) example.fixed = *fixed;
  if (const Value* cluster = document.find("cluster")) {
    if (const Value* name = cluster->find("name")) example.cluster = name->text();
    if (const Value* values = cluster->find("values")) example.values = *values;
  }
  return example;
}

}  // namespace

std::vector<std::string_view> texts_at(const Value& map, std::string_view key) {
  std::vector<std::string_view> texts;
  if (const Value* list = map.find(key)) {
    for (const Value& text : list->items()) texts.push_back(text.text());
  }
  return texts;
}

void read_own_form(const Value& document, Stage& stage, Rule& rule) {
  const Value& code = *document.find("code");
  rule.code = code.text();
  rule.where = stage.origins[code.origin()].span;
  rule.name = document.find("name")->text();
  rule.severity = severity_of(document.find("severity"));
  if (const Value* match = document.find("match")) rule.match = read_match(*match);
  for (const std::string_view kind : rule.match.kinds)
    rule.kinds += (rule.kinds.empty() ? "" : " ") + std::string(kind);
  RuleCompiler compiler(rule, stage);
  if (const Value* variables = document.find("variables")) compiler.add_variables(*variables);
  if (const Value* conditions = document.find("matchConditions")) compiler.add_conditions(*conditions);
  compiler.add_validations(*document.find("validations"));
  if (const Value* examples = document.find("examples")) {
    for (const Value& example : examples->items()) rule.examples.push_back(read_example(example));
  }
  rule.page = page_of(rule, document.find("docs")->text());
}

}  // namespace capwright::lint::own
