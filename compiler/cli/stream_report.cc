// Text and line-based formats are written at once. Formats that are one document buffer some findings.
#include "cli/stream_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "lint/engine/lint.h"
#include "report/formats.h"
#include "report/text.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

constexpr std::size_t kMostKept = 1'000;
constexpr std::size_t kMostKeptBytes = 16u << 20;  // of the lines around buffered findings

}  // namespace

// A finding with the lines that it shows, without the rest of its document.
class StreamReport::Kept {
 public:
  Kept(const Diagnostic& diagnostic, const SourceSet& from, const secrets::Places& secrets) : diagnostic_(diagnostic) {
    std::map<FileId, Lines> lines;
    lint::for_each_place(diagnostic_, [&](Span& span) {
      if (!span.known()) return;
      Lines& wanted = lines.try_emplace(span.file, Lines{span.begin, span.end, FileId::None}).first->second;
      wanted.begin = std::min(wanted.begin, span.begin);
      wanted.end = std::max(wanted.end, span.end);
    });
    for (auto& [file, wanted] : lines) take(file, wanted, from);
    lint::for_each_place(diagnostic_, [&](Span& span) {
      if (span.known()) span = moved(span, lines.at(span.file));
    });
    std::vector<Span> hidden;
    for (const Span& secret : secrets.all()) {
      const auto found = lines.find(secret.file);
      if (found != lines.end() && secret.end > found->second.begin && secret.begin < found->second.end)
        hidden.push_back(moved(secret, found->second));
    }
    secrets_ = secrets::Places(std::move(hidden));
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  report::Finding shown() const {
    return {&diagnostic_, &sources_, &secrets_, {}, diagnostic_.repeats, false, false, {}};
  }
  std::size_t size() const { return size_; }

 private:
  struct Lines {
    std::uint32_t begin, end;  // in the document
    FileId copy;
  };

  void take(FileId file, Lines& lines, const SourceSet& from) {
    const std::string_view text = from.text(file);
    lines.begin = static_cast<std::uint32_t>(lines.begin == 0 ? 0 : text.rfind('\n', lines.begin - 1) + 1);
    lines.end = static_cast<std::uint32_t>(std::min(text.find('\n', lines.end), text.size()));
    lines.copy =
        sources_.add(std::string(from.path(file)), std::string(text.substr(lines.begin, lines.end - lines.begin)),
                     from.line_col(file, lines.begin).line);
    size_ += lines.end - lines.begin;
  }

  static Span moved(Span span, const Lines& lines) {
    const auto offset = [&](std::uint32_t at) { return std::clamp(at, lines.begin, lines.end) - lines.begin; };
    return {lines.copy, offset(span.begin), offset(span.end)};
  }

  Diagnostic diagnostic_;
  SourceSet sources_;
  secrets::Places secrets_;
  std::size_t size_ = 0;
};

StreamReport::StreamReport(const LintOptions& options, Console& console)
    : options_(options),
      console_(console),
      leaves_at_once_(!options.statistics && (options.common.form == "text" || options.common.form == "concise" ||
                                              options.common.form == "github")),
      keeps_((!leaves_at_once_ && !options.statistics) || !options.common.report_files.empty()) {}

StreamReport::~StreamReport() = default;

bool StreamReport::add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources,
                       secrets::Redactor secrets) {
  if (diagnostics.empty()) return true;
  report::Findings found;
  found.add(diagnostics, sources, std::move(secrets), "");
  if (found.has_outside_fault()) counts_.add_outside_fault();
  std::vector<report::Finding> now;
  for (const report::Finding& finding : found.all()) {
    const std::size_t number = counts_.add(*finding.diagnostic);
    if (leaves_at_once_ && (options_.common.form != "text" || number <= report::TextOptions().most_per_code))
      now.push_back(finding);
    if (keeps_) keep(finding, sources);
  }
  if (options_.common.form == "text") console_.note_shown(now);
  return now.empty() || console_.print(in_form(now));
}

int StreamReport::finish() {
  if (options_.statistics) console_.print(counts_.statistics(options_.common.format));
  else if (options_.common.form == "text") console_.print(rest_of_codes());
  std::vector<report::Finding> findings;
  for (const auto& kept : kept_) findings.push_back(kept->shown());
  if (!leaves_at_once_ && !options_.statistics) console_.show_as_result(findings);
  else console_.write_reports(findings);
  if (!console_.flush()) return kUsageError;
  if (left_out_ != 0) console_.say(fmt::format("note: {} more findings are counted and not reported", left_out_));
  console_.say(counts_.summary_of_stream(documents_));
  return counts_.exit_code(options_);
}

std::string StreamReport::in_form(std::span<const report::Finding> findings) const {
  if (options_.common.form == "text")
    return report::as_text(findings, {.color = console_.color(), .whole_notes = console_.verbose()});
  if (options_.common.form == "concise") return report::as_concise(findings);
  return report::as_github(findings, workflow::folder_in_git(options_.common));
}

void StreamReport::keep(const report::Finding& finding, const SourceSet& sources) {
  if (kept_.size() < kMostKept && kept_bytes_ < kMostKeptBytes)
    kept_bytes_ += kept_.emplace_back(std::make_unique<Kept>(*finding.diagnostic, sources, *finding.secrets))->size();
  else ++left_out_;
}

// The end of report::as_text().
std::string StreamReport::rest_of_codes() const {
  std::string text;
  const std::size_t most = report::TextOptions().most_per_code;
  for (const auto& [code, number] : counts_.codes()) {
    if (number > most) text += fmt::format("… and {} more {}\n", number - most, code);
  }
  return text;
}

}  // namespace capwright::cli
