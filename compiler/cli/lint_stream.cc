// Text and line-based formats are written at once. Formats that are one document buffer some findings.
#include "cli/lint_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <memory>

#include "cli/lint_counts.h"
#include "cli/shown_path.h"
#include "cli/standard_input.h"
#include "diag/catalog/limits.h"
#include "files/io_fault.h"
#include "lint/engine/lint.h"
#include "lint/facts/unknown_kinds.h"
#include "report/formats.h"
#include "report/text.h"
#include "yaml/document_stream.h"

namespace capwright::cli {
namespace {

// API servers reject objects of more than 3 MiB.
constexpr std::uint32_t kMostDocumentBytes = 8u << 20;
constexpr std::size_t kMostKept = 1'000;
constexpr std::size_t kMostKeptBytes = 16u << 20;  // of the lines around buffered findings

bool is_long(const std::string& target, OpenProject& open) {
  if (target == "-") return standard_input().is_longer_than(open.limits.input_bytes);
  FileStat stat;
  return !open.fs.stat(target, stat) && stat.type == FileType::Regular && stat.size > open.limits.input_bytes;
}

// A finding with the lines that it shows, without the rest of its document.
class KeptFinding {
 public:
  KeptFinding(const Diagnostic& diagnostic, const SourceSet& from, const std::vector<Span>& secrets)
      : diagnostic_(diagnostic) {
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
    for (const Span& secret : secrets) {
      const auto found = lines.find(secret.file);
      if (found != lines.end() && secret.end > found->second.begin && secret.begin < found->second.end)
        hidden.push_back(moved(secret, found->second));
    }
    secrets_ = report::SecretSpans(std::move(hidden));
  }
  KeptFinding(const KeptFinding&) = delete;
  KeptFinding& operator=(const KeptFinding&) = delete;

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
  report::SecretSpans secrets_;
  std::size_t size_ = 0;
};

// Shows findings at once if the format allows it, buffers others, and counts all.
class StreamReport {
 public:
  StreamReport(const LintOptions& options, Console& console)
      : options_(options),
        console_(console),
        leaves_at_once_(!options.statistics && (options.common.form == "text" || options.common.form == "concise" ||
                                                options.common.form == "github")),
        keeps_((!leaves_at_once_ && !options.statistics) || !options.common.report_files.empty()) {}

  // Returns false once the reader has closed the output.
  bool add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const std::vector<Span>& secrets) {
    if (diagnostics.empty()) return true;
    const report::SecretSpans hidden(secrets);
    report::Findings found;
    found.add(diagnostics, sources, &hidden, "");
    if (found.has_outside_fault()) counts_.add_outside_fault();
    std::vector<report::Finding> now;
    for (const report::Finding& finding : found.all()) {
      const std::size_t number = counts_.add(*finding.diagnostic);
      if (leaves_at_once_ && (options_.common.form != "text" || number <= report::TextOptions().most_per_code))
        now.push_back(finding);
      if (keeps_) keep(finding, sources, secrets);
    }
    return now.empty() || console_.print(in_form(now));
  }

  void add_unknown_kinds(std::size_t count) { counts_.add_unknown_kinds(count); }

  // Shows the rest. Returns the exit code.
  int finish(std::size_t documents) {
    if (options_.statistics) console_.print(counts_.statistics(options_.common.format));
    else if (options_.common.form == "text") console_.print(rest_of_codes());
    std::vector<report::Finding> findings;
    for (const KeptFinding& finding : kept_) findings.push_back(finding.shown());
    if (!leaves_at_once_ && !options_.statistics) console_.show_as_result(findings);
    else console_.write_reports(findings);
    if (!console_.flush()) return kUsageError;
    if (left_out_ != 0) console_.say(fmt::format("note: {} more findings are counted and not reported", left_out_));
    console_.say(counts_.summary_of_stream(documents));
    return counts_.exit_code(options_);
  }

 private:
  std::string in_form(std::span<const report::Finding> findings) const {
    if (options_.common.form == "text") return report::as_text(findings, {.color = console_.color()});
    return options_.common.form == "github" ? report::as_github(findings) : report::as_concise(findings);
  }

  void keep(const report::Finding& finding, const SourceSet& sources, const std::vector<Span>& secrets) {
    if (kept_.size() < kMostKept && kept_bytes_ < kMostKeptBytes)
      kept_bytes_ += kept_.emplace_back(*finding.diagnostic, sources, secrets).size();
    else ++left_out_;
  }

  // The end of report::as_text().
  std::string rest_of_codes() const {
    std::string text;
    const std::size_t most = report::TextOptions().most_per_code;
    for (const auto& [code, number] : counts_.codes()) {
      if (number > most) text += fmt::format("… and {} more {}\n", number - most, code);
    }
    return text;
  }

  const LintOptions& options_;
  Console& console_;
  bool leaves_at_once_, keeps_;
  LintCounts counts_;
  std::deque<KeptFinding> kept_;
  std::size_t kept_bytes_ = 0, left_out_ = 0;
};

class StreamLint {
 public:
  StreamLint(const lint::Linter& linter, const lint::Context& context, lint::Blame blame, StreamReport& report)
      : linter_(linter), context_(context), blame_(blame), report_(report) {
    context_.is_stream = true;
  }

  // Reads until the end, or until the output is closed.
  bool read(const std::string& path, yaml::DocumentStream::Read read) {
    yaml::DocumentStream stream(std::move(read), std::min(context_.limits.input_bytes, kMostDocumentBytes));
    for (yaml::StreamDocument document; stream.next(document);) {
      ++documents_;
      if (!lint(path, std::move(document))) return false;
    }
    return true;
  }

  std::size_t documents() const { return documents_; }

 private:
  bool lint(const std::string& path, yaml::StreamDocument document) {
    lint::Cluster cluster("", context_);
    if (!document.is_whole()) {
      const FileId source = cluster.sources().add(path, std::move(document.text), document.first_line);
      cluster.sink()
          .report(diag::input_too_large, {source, 0, 0}, document.size, kMostDocumentBytes)
          .note("only the document that starts here is skipped");
    } else {
      cluster.add_manifest(path, std::move(document.text), document.first_line, lint::Asked::Named);
      lint::lint_document(linter_, cluster, blame_);
      report_.add_unknown_kinds(lint::count_unknown_kinds(cluster));
    }
    return report_.add(cluster.sink().diagnostics(), cluster.sources(), cluster.secrets());
  }

  const lint::Linter& linter_;
  lint::Context context_;
  lint::Blame blame_;
  StreamReport& report_;
  std::size_t documents_ = 0;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

bool has_long_target(const LintOptions& options, OpenProject& open) {
  return std::any_of(options.targets.begin(), options.targets.end(),
                     [&](const std::string& target) { return is_long(target, open); });
}

int lint_streams(const lint::Linter& linter, const lint::Context& context, const LintOptions& options,
                 OpenProject& open, Console& console) {
  for (const std::string& target : options.targets) {
    if (is_long(target, open)) continue;
    console.fail(fmt::format("`{}` can't be linted together with an input of more than {} bytes; name it alone", target,
                             open.limits.input_bytes));
    return kUsageError;
  }
  const Workspace& workspace = open.project->workspace();
  StreamReport report(options, console);
  StreamLint stream(linter, context, options.blame, report);
  report.add(open.sink.diagnostics(), open.sources, {});
  const auto say_unreadable = [&](std::string_view what, IoError error) {
    Sink faults;
    report_io_fault(faults, IoTask::Read, what, error, {});
    report.add(faults.diagnostics(), open.sources, {});
  };
  for (const std::string& target : options.targets) {
    if (target == "-") {
      const auto read = [](char* buffer, std::size_t size) { return standard_input().read(buffer, size); };
      const std::string name = options.stdin_filename ? shown_path(workspace, *options.stdin_filename) : "<stdin>";
      const bool reads_on = stream.read(name, read);
      if (const IoError error = standard_input().error()) say_unreadable("<stdin>", error);
      if (!reads_on) break;
      continue;
    }
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(target.c_str(), "rb"));
    const auto read = [&](char* buffer, std::size_t size) { return std::fread(buffer, 1, size, file.get()); };
    const bool reads_on = file == nullptr || stream.read(shown_path(workspace, target), read);
    if (file == nullptr || std::ferror(file.get()) != 0) say_unreadable(target, {errno});
    if (!reads_on) break;
  }
  console.say(
      fmt::format("note: more than {} bytes are linted document by document: rules about several objects "
                  "don't run",
                  open.limits.input_bytes));
  return report.finish(stream.documents());
}

}  // namespace capwright::cli
