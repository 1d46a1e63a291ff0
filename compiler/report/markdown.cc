// Forges truncate or reject comments above some size: items are added while they fit.
#include "report/markdown.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/diff_words.h"
#include "report/printable.h"
#include "report/region.h"

namespace capwright::report {
namespace {

constexpr std::size_t kLongHelp = 200;  // bytes

std::string rest_of(std::size_t count, std::string_view what) {
  return count == 0 ? "" : fmt::format("\n{} less severe did not fit.\n", counted(count, what));
}

// At most `most` bytes of it, cut between characters.
std::string cut_to(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

// Appends text outside of code. Forges find mentions, issues and URLs after they have removed backslashes, so an empty
// comment splits these.
void append_plain(std::string& out, std::string_view text) {
  constexpr std::string_view kSigns = "\\`*_[]~", kParted = "@#";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else if (kSigns.find(c) != std::string_view::npos) out.append("\\").append(1, c);
    else out += c;
    const bool starts_address = text.substr(i).starts_with("://") || text.substr(0, i + 1).ends_with("www.");
    if (kParted.find(c) != std::string_view::npos || starts_address) out += "<!-- -->";
  }
}

void append_line(std::string& out, std::string_view line) {
  for (;;) {
    const std::size_t begin = line.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : line.find('`', begin + 1);
    if (end == std::string_view::npos) return append_plain(out, line);
    append_plain(out, line.substr(0, begin));
    const std::string_view code = line.substr(begin, end + 1 - begin);
    if (code.size() > 2) out += code;
    else append_plain(out, code);
    line.remove_prefix(end + 1);
    // Two in a row would begin another fence.
    if (code.size() > 2 && line.starts_with('`')) out += "<!-- -->";
  }
}

// Below a list item.
std::string help_of(std::string_view help) {
  const std::string text = markdown_line(help);
  if (help.size() <= kLongHelp) return fmt::format("  - help: {}\n", text);
  return fmt::format("  <details><summary>help</summary>\n\n  {}\n\n  </details>\n\n", text);
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

std::string markdown_text(std::string_view message) {
  std::string text;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    append_line(text, message.substr(0, end));
    if (end < message.size()) text += '\n';
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  return text;
}

std::string markdown_line(std::string_view text) { return markdown_text(printable(text)); }

std::string markdown_item(const Finding& finding, std::string_view folder, bool has_help) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const auto region = region_of(finding, ColumnUnit::CodePoints, folder);
  const std::string place = region ? fmt::format(" ({}:{})", markdown_line(region->path), region->start.line) : "";
  const std::string names = finding.clusters.empty() ? "" : ": " + clusters_of(finding);
  const std::string help = has_help && diagnostic.help ? help_of(*diagnostic.help) : "";
  return fmt::format("- {} **{} {}** {}{}{}\n{}", diagnostic.severity == Severity::Note ? "ℹ" : "⚠",
                     severity_name(diagnostic.severity), diagnostic.info->code, markdown_text(one_line(finding)), place,
                     markdown_line(names), help);
}

std::string within_budget(std::string head, const std::vector<std::string>& items, std::string_view what,
                          std::size_t budget) {
  std::string text = std::move(head);
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Reserves room for the line with the number of omitted items.
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
