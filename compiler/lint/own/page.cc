// Pages have the structure of those of built-in rules: what the rule does, why, and examples.
#include <fmt/format.h>

#include "lint/own/rule_formats.h"
#include "text/trim.h"

namespace capwright::lint::own {
namespace {

std::string block_of(std::string_view text) {
  return fmt::format("\n```yaml\n{}{}```\n", text, text.ends_with('\n') ? "" : "\n");
}

template <class Text>
void add_section(std::string& page, std::string_view title, const Rule& rule, const Text& text_of) {
  std::string blocks;
  for (const Example& example : rule.examples) {
    if (const Value& text = text_of(example); text.is(Kind::String)) blocks += block_of(text.text());
  }
  if (!blocks.empty()) page += fmt::format("\n## {}\n{}", title, blocks);
}

}  // namespace

std::string page_of(const Rule& rule, std::string_view docs) {
  std::string page = fmt::format("{}\n", trimmed(docs, " \t\r\n"));
  add_section(page, "Invalid", rule, [](const Example& e) -> const Value& { return e.invalid; });
  add_section(page, "Fix", rule, [](const Example& e) -> const Value& { return e.fixed; });
  add_section(page, "Valid", rule, [](const Example& e) -> const Value& { return e.valid; });
  return page;
}

std::string page_of_policy(const Rule& rule) {
  std::string page = fmt::format(
      "The ValidatingAdmissionPolicy `{}` refuses it.\n\n"
      "The policy is evaluated for the creation of the object, with an empty `request.userInfo`. Its conditions:\n",
      rule.name);
  for (const Validation& validation : rule.validations) {
    if (!validation.message.empty()) page += fmt::format("\n{}\n", trimmed(validation.message, " \t\r\n"));
    const std::string_view text = trimmed(validation.expression.program->text(), " \t\r\n");
    page += fmt::format("\n```cel\n{}\n```\n", text);
  }
  return page;
}

}  // namespace capwright::lint::own
