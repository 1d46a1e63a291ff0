// The placeholders of a message are shown as ellipses.
#include "workflow/diagnostic_pages.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/fixes/fixes.h"
#include "report/finding.h"

namespace capwright::workflow {
namespace {

std::string shown_name(std::string_view identifier) {
  std::string name(identifier);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// The message with its placeholders as an ellipsis: the text that all its instances share.
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

}  // namespace

std::string diagnostic_page(const DiagInfo& info) {
  std::string_view text = info.explanation;
  while (text.starts_with('\n')) text.remove_prefix(1);
  return fmt::format("## {} {}\n\n{}: {}\n\n{}", info.code, shown_name(info.name), report::severity_name(info.severity),
                     message_shape(info.format), text);
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

}  // namespace capwright::workflow
