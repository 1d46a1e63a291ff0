// `capwright dev docs PAGE`: the documentation that is made from the program's own tables. The pages under docs/ are
// what these print; a test compares.
#include "cli/dev_docs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "cli/dev_docs_values.h"
#include "diag/catalog.h"
#include "lint/fixes.h"
#include "lint/rules.h"
#include "report/finding.h"

namespace capwright::cli {
namespace {

std::string shown_name(std::string_view identifier) {
  std::string name(identifier);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// The message with its placeholders as an ellipsis: what all its instances have in common.
std::string message_shape(std::string_view format) {
  std::string shape;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '{' && i + 1 < format.size() && format[i + 1] != '{') {
      i = format.find('}', i);
      shape += "…";
    } else {
      if (i + 1 < format.size() && (format[i] == '{' || format[i] == '}') && format[i + 1] == format[i]) ++i;
      shape += format[i];
    }
  }
  return shape;
}

std::string lower(std::string_view code) {
  std::string text(code);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

std::string diagnostic_page(const DiagInfo& info) {
  std::string_view text = info.explanation;
  while (text.starts_with('\n')) text.remove_prefix(1);
  return fmt::format("## {} {}\n\n{}: {}\n\n{}", info.code, shown_name(info.name), report::severity_name(info.severity),
                     message_shape(info.format), text);
}

std::string diagnostics_document() {
  std::string document =
      "# Diagnostics\n\nMade by `capwright dev docs diagnostics`; `capwright explain CODE` prints one page.\n";
  for (const DiagInfo* info : diag::all()) document += "\n" + diagnostic_page(*info);
  return document;
}

std::string below_heading(std::string_view text) {
  std::string page;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    page += text.substr(at).starts_with("## ") ? "#" : "";
    page += text.substr(at, end - at);
    at = end;
  }
  return page;
}

std::string rule_page(const lint::Rule& rule) {
  std::string_view text = rule.docs;
  while (text.starts_with('\n')) text.remove_prefix(1);
  std::string page =
      fmt::format("## {} {}\n\n{}, since {}", rule.code, rule.name, report::severity_name(rule.severity), rule.since);
  if (!rule.kinds.empty()) page += fmt::format(", of {}", rule.kinds);
  if (const std::string_view fix = lint::fix_words(rule.fixes); !fix.empty())
    page += fmt::format("; has {} {}", fix.starts_with('u') ? "an" : "a", fix);
  return page + "\n\n" + below_heading(text);
}

std::string rules_document() {
  std::string document =
      "# Rules\n\nMade by `capwright dev docs rules`; `capwright explain CODE` prints one page, `capwright rules` the "
      "table.\n\n| code | name | severity | fix | |\n|---|---|---|---|---|\n";
  for (const lint::Rule* rule : lint::all_rules()) {
    document +=
        fmt::format("| [{0}](#{2}-{1}) | {1} | {3} | {4} | {5} |\n", rule->code, rule->name, lower(rule->code),
                    report::severity_name(rule->severity), lint::fix_words(rule->fixes), lint::summary_of(*rule));
  }
  for (const lint::Rule* rule : lint::all_rules()) document += "\n" + rule_page(*rule);
  return document;
}

std::optional<std::string> generated_page(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"diagnostics"}) return diagnostics_document();
  if (arguments == std::vector<std::string>{"rules"}) return rules_document();
  if (arguments == std::vector<std::string>{"values"}) return values_document();
  if (arguments == std::vector<std::string>{"configuration"}) return configuration_document();
  if (arguments.size() == 2 && arguments[0] == "values") return values_of_set(arguments[1]);
  return std::nullopt;
}

}  // namespace capwright::cli
