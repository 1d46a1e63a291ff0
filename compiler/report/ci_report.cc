// Forges reject comments above some size, so each section gets what the sections before it left.
#include "report/ci_report.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "diag/catalog/repository.h"
#include "report/diff_words.h"
#include "report/markdown.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

constexpr std::size_t kForCutLine = 400, kLeastSection = 300;  // bytes
constexpr std::string_view kDiffs = "diffs";
constexpr std::string_view kFoldEnd = "\n</details>\n";

std::string fold_start(std::string_view title) { return fmt::format("<details><summary>{}</summary>\n\n", title); }

// A code block that shows any text.
std::string code_block(std::string_view text, std::string_view language) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text, text.ends_with('\n') ? "" : "\n", fence);
}

// A help that several findings in a row share is shown once.
std::vector<std::string> items_of(std::span<const Finding> findings, std::string_view folder, bool has_help) {
  std::vector<std::string> items;
  const Diagnostic* last = nullptr;
  for (const Finding& finding : findings) {
    const Diagnostic* now = finding.diagnostic;
    const bool has_another = last == nullptr || last->info != now->info || last->help != now->help;
    items.push_back(markdown_item(finding, folder, has_help && has_another));
    last = now;
  }
  return items;
}

// Whether another check found the same.
bool is_same(const Finding& a, const Finding& b) {
  const Diagnostic &one = *a.diagnostic, &other = *b.diagnostic;
  if (one.info != other.info || one.message != other.message || a.revision != b.revision) return false;
  if (!one.where.known() || !other.where.known()) return one.where.known() == other.where.known();
  return one.where.begin == other.where.begin && a.sources->path(one.where.file) == b.sources->path(other.where.file);
}

// Those that the plan doesn't begin with.
std::vector<Finding> besides_plan(std::span<const Finding> findings, const FleetPlan* plan) {
  std::vector<Finding> rest(findings.begin(), findings.end());
  if (plan == nullptr) return rest;
  const auto is_in_plan = [&](const Finding& finding) {
    const auto is_it = [&](const Finding& each) { return is_same(each, finding); };
    return finding.diagnostic->info == &diag::plan_not_allowed.info ||
           std::any_of(plan->findings.begin(), plan->findings.end(), is_it) ||
           std::any_of(plan->faults.begin(), plan->faults.end(), is_it);
  };
  std::erase_if(rest, is_in_plan);
  return rest;
}

std::vector<std::string> items_of(std::span<const CheckedFile> files, std::string_view folder) {
  std::vector<std::string> items;
  for (const CheckedFile& file : files)
    items.push_back(fmt::format("{}\n\n{}\n", markdown_code(printable(fmt::format("{}{}", folder, file.path))),
                                file.diff.empty() ? "" : code_block(printable_lines(file.diff), "diff")));
  return items;
}

class Comment {
 public:
  explicit Comment(std::size_t budget) : is_limited_(budget != 0), budget_(budget) {}

  std::string finish() && {
    if (!cut_.empty()) text_ += fmt::format("\n_Cut to fit into {} bytes: {}._\n", budget_, fmt::join(cut_, ", "));
    return is_limited_ && text_.size() > budget_ ? within_budget(std::move(text_), {}, "", budget_) : std::move(text_);
  }

  void add_checks(std::span<const CheckLine> checks) {
    const auto failed = std::count_if(checks.begin(), checks.end(), [](const CheckLine& line) {
      return line.result == "failed" || line.result == "error";
    });
    text_ = failed == 0 ? "### capwright: all checks passed\n\n"
                        : fmt::format("### capwright: {} of {} failed\n\n", failed, counted(checks.size(), "check"));
    text_ += "| check | result | |\n|---|---|---|\n";
    for (const CheckLine& line : checks) {
      std::string cell = markdown_text(printable(line.text));
      std::replace(cell.begin(), cell.end(), '\n', ' ');
      for (std::size_t at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 2)) cell.insert(at, "\\");
      text_ += fmt::format("| `{}` | {} | {} |\n", line.check, line.result, cell);
    }
  }

  // The plan may have all but the room for the rest, and at least half. Its findings come first, so a cut keeps them.
  void add_plan(const FleetPlan& plan, std::string_view folder, bool has_help, std::size_t rest) {
    const std::string whole = plan_as_markdown(plan, 0, folder, has_help);
    const std::size_t room = left();
    const std::size_t most = std::max(room / 2, room > rest ? room - rest : 0);
    if (!is_limited_ || whole.size() + 1 <= most) {
      text_ += "\n" + whole;
    } else {
      cut_.emplace_back("the plan");
      if (most > kLeastSection) text_ += "\n" + plan_as_markdown(plan, most - 1, folder, has_help);
    }
  }

  void add_section(std::string head, const std::vector<std::string>& items, std::string_view what,
                   std::string_view end) {
    if (items.empty()) return;
    const std::size_t room = left();
    std::size_t whole = head.size() + end.size();
    for (const std::string& item : items) whole += item.size();
    const bool fits = !is_limited_ || whole <= room;
    if (!fits) cut_.push_back(fmt::format("{}", what));
    if (!fits && room < kLeastSection) return;
    text_ += within_budget(std::move(head), items, what == kDiffs ? "diff" : "finding", fits ? 0 : room - end.size());
    text_ += end;
  }

  // Whether at most diffs of files were cut.
  bool has_all_findings() const {
    return std::all_of(cut_.begin(), cut_.end(), [](const std::string& what) { return what == kDiffs; });
  }

 private:
  std::size_t left() const {
    const std::size_t used = text_.size() + kForCutLine;
    return is_limited_ && budget_ > used ? budget_ - used : 0;
  }

  bool is_limited_;
  std::size_t budget_;
  std::string text_;
  std::vector<std::string> cut_;
};

std::size_t size_of(const std::vector<std::string>& items) {
  std::size_t size = 0;
  for (const std::string& item : items) size += item.size();
  return size;
}

// Which findings have their help: the edit that fixes them.
enum class Helped : std::uint8_t { None, OfChange, All };

Comment comment_of(const CheckReport& report, std::size_t budget, Helped helped) {
  const std::string_view folder = report.folder;
  const bool has_help = helped != Helped::None;
  const auto first = items_of(besides_plan(report.of_change, report.plan), folder, has_help);
  const auto others = items_of(besides_plan(report.others, report.plan), folder, helped == Helped::All);
  const auto files = items_of(report.files, folder);
  Comment comment(budget);
  comment.add_checks(report.checks);
  if (report.plan != nullptr)
    comment.add_plan(*report.plan, folder, has_help, size_of(first) + size_of(others) + size_of(files) + 500);
  comment.add_section("\n### Findings\n\n", first, "findings", "");
  comment.add_section("\n" + fold_start(fmt::format("{} elsewhere", counted(others.size(), "finding"))), others,
                      "findings elsewhere", kFoldEnd);
  comment.add_section("\n" + fold_start(fmt::format("{} out of date", counted(files.size(), "file"))), files, kDiffs,
                      kFoldEnd);
  return comment;
}

}  // namespace

std::string checks_as_text(std::span<const CheckLine> checks) {
  std::string text;
  for (const CheckLine& line : checks)
    text += fmt::format("{:<7} {:<8} {}\n", line.check, line.result, printable(line.text));
  return text;
}

// Help gives way to findings, and diffs of files to help.
std::string checks_as_markdown(const CheckReport& report, std::size_t budget) {
  for (const Helped helped : {Helped::All, Helped::OfChange}) {
    Comment comment = comment_of(report, budget, helped);
    if (comment.has_all_findings()) return std::move(comment).finish();
  }
  return comment_of(report, budget, Helped::None).finish();
}

}  // namespace capwright::report
