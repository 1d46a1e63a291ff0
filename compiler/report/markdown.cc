// Forges cut or refuse comments above some size: items are added while they fit.
#include "report/markdown.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/diff_words.h"
#include "report/printable.h"
#include "report/region.h"

namespace capwright::report {
namespace {

std::string rest_of(std::size_t count, std::string_view what) {
  return count == 0 ? "" : fmt::format("\n{} less severe did not fit.\n", counted(count, what));
}

// At most `most` bytes of it, cut between characters.
std::string cut_to(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace

std::string markdown_code(std::string_view text) {
  if (text.empty()) return "` `";
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const bool pads = text.front() == '`' || text.back() == '`';
  return fmt::format("{}{}{}{}{}", fence, pads ? " " : "", text, pads ? " " : "", fence);
}

std::string markdown_item(const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const auto region = region_of(finding, ColumnUnit::CodePoints);
  const std::string place = region ? fmt::format(" ({}:{})", region->path, region->start.line) : "";
  const std::string names = finding.clusters.empty() ? "" : ": " + clusters_of(finding);
  return fmt::format("- {} **{} {}** {}{}{}\n", diagnostic.severity == Severity::Note ? "ℹ" : "⚠",
                     severity_name(diagnostic.severity), diagnostic.info->code, one_line(finding), place,
                     printable(names));
}

std::string within_budget(std::string head, const std::vector<std::string>& items, std::string_view what,
                          std::size_t budget) {
  std::string text = std::move(head);
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Room stays for the line that says how many are missing.
    const std::size_t rest = i + 1 == items.size() ? 0 : rest_of(items.size() - i, what).size();
    if (budget != 0 && text.size() + items[i].size() + rest > budget) {
      text += rest_of(items.size() - i, what);
      break;
    }
    text += items[i];
  }
  return budget == 0 ? text : cut_to(std::move(text), budget);
}

}  // namespace capwright::report
