// Writes to stdout and stderr.
#include "cli/console.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/check.h"
#include "report/formats.h"
#include "report/palette.h"
#include "report/printable.h"
#include "report/text.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"
#include "workflow/shown_path.h"

namespace capwright::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The only decision on color. docs/commands.md lists the variables in this order.
bool wants_color(ColorMode mode, int file) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  if (!variable("NO_COLOR").empty()) return false;
  for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"}) {
    if (const std::string_view value = variable(name); !value.empty() && value != "0") return true;
  }
  return variable("TERM") != "dumb" && ::isatty(file) == 1;
}

bool write_all(std::FILE* stream, std::string_view text) {
  // An empty view may have a null pointer, which fwrite() doesn't take.
  return text.empty() || std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

// Flushes stdout first, so that the order is kept if both go to one log. flush() reports a failure of stdout.
void write_stderr(std::string_view text) {
  if (text.empty()) return;  // nothing to keep in order
  std::fflush(stdout);
  write_all(stderr, text);
}

// A process has one terminal, but may have several consoles.
struct {
  std::string code;
  Severity severity = Severity::Note;
} shown_first;

constexpr std::size_t kWidth = 80, kWidest = 100, kNarrowest = 40;

std::size_t terminal_width(int file) {
  const std::string_view stated = variable("COLUMNS");
  std::size_t width = 0;
  std::from_chars(stated.data(), stated.data() + stated.size(), width);
  winsize size{};
  if (width == 0 && ::ioctl(file, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kWidest : width;
}

}  // namespace

Console::Console(const CommonOptions& options)
    : options_(options),
      color_(wants_color(options.color, STDOUT_FILENO)),
      colors_errors_(wants_color(options.color, STDERR_FILENO)) {}

report::TextOptions Console::text_options(bool color) const {
  return {.color = color, .whole_notes = options_.verbose};
}

std::string Console::in_form(std::span<const report::Finding> findings, std::string_view form,
                             report::TextOptions options) const {
  if (form == "text") return report::as_text(findings, options);
  if (form == "concise") return report::as_concise(findings);
  const std::string folder = workflow::folder_in_git(options_);
  if (form == "junit" && !cases_.empty()) return report::as_junit(findings, folder, cases_);
  const auto forms = report::report_forms();
  const auto known = std::find_if(forms.begin(), forms.end(), [&](const auto& each) { return each.name == form; });
  CW_CHECK(known != forms.end(), "the command line takes known forms only");
  return known->write(findings, folder);
}

bool Console::print(std::string_view text) {
  broken_ = broken_ || !write_all(stdout, text);
  return !broken_;
}

void Console::say(std::string_view line) const {
  if (!options_.quiet) insist(line);
}

void Console::insist(std::string_view line) const { write_stderr(report::printable_lines(line) + "\n"); }

int Console::fail(std::string_view message) const {
  const report::Palette& palette = report::palette_of(colors_errors_);
  const bool is_finding = message.starts_with("error[");
  const std::string prefix = is_finding ? "" : report::painted("error", palette.error, palette) + ": ";
  write_stderr(fmt::format("{}{}\n", prefix, report::printable_lines(message)));
  return kUsageError;
}

bool Console::is_for_people() const { return options_.format == Format::Text || options_.format == Format::Concise; }

void Console::print_beside(std::string_view text) {
  if (is_for_people()) print(text);
  else write_stderr(text);
}

void Console::show(const report::Findings& findings, bool stdout_is_taken) {
  const std::string text = in_form(findings.all(), options_.form, text_options(colors_errors_));
  note_shown(findings.all());
  if (is_for_people() || stdout_is_taken) write_stderr(text);
  else print(text);
  write_reports(findings.all());
}

void Console::show_as_result(const report::Findings& findings) { show_as_result(findings.all()); }

void Console::show_as_result(std::span<const report::Finding> findings) {
  note_shown(findings);
  print(in_form(findings, options_.form, text_options(color_)));
  write_reports(findings);
}

void Console::show_beside(std::span<const report::Finding> findings) const {
  note_shown(findings);
  const std::string_view form = options_.format == Format::Concise ? "concise" : "text";
  write_stderr(in_form(findings, form, text_options(colors_errors_)));
}

void Console::note_shown(std::span<const report::Finding> findings) const {
  if (options_.quiet || !options_.is_for_people || options_.format != Format::Text) return;
  for (const report::Finding& finding : findings) {
    const Diagnostic& diagnostic = *finding.diagnostic;
    if (!shown_first.code.empty() && diagnostic.severity <= shown_first.severity) continue;
    if (diagnostic.info->code.find('/') != std::string_view::npos) continue;  // of another tool: `explain` has no page
    shown_first = {std::string(diagnostic.info->code), diagnostic.severity};
  }
}

void Console::write_reports(std::span<const report::Finding> findings) {
  // Earlier output must precede text that is written to `/dev/stdout`.
  if (!options_.report_files.empty()) broken_ = std::fflush(stdout) != 0 || broken_;
  for (const ReportFile& wanted : options_.report_files) {
    save(wanted.path, in_form(findings, wanted.form, {}));
  }
}

bool Console::save(const std::string& path, std::string_view text) {
  if (const auto why = workflow::why_not_written(options_, path)) {
    fail(*why);
    lost_ = true;
    return false;
  }
  const IoError error = save_file(path, text);
  if (error) fail(fmt::format("`{}` can't be written: {}", path, describe(error)));
  lost_ = lost_ || error;
  return !error;
}

bool Console::flush() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) broken_ = true;
  if (broken_) fail("can't write to standard output");
  return !broken_ && !lost_;
}

int Console::finish(std::string_view text) {
  print(text);
  return flush() ? kClean : kUsageError;
}

std::size_t help_width(std::FILE* stream) {
  const int file = ::fileno(stream);
  return ::isatty(file) == 1 ? std::clamp(terminal_width(file), kNarrowest, kWidest) : kWidth;
}

void finish_run(int exit_code) {
  if (exit_code != kClean && !shown_first.code.empty())
    write_stderr(fmt::format("`capwright explain {}` says more\n", shown_first.code));
}

ExitCode exit_code(const report::Findings& findings) {
  if (findings.has_outside_fault()) return kUsageError;
  return findings.count(Severity::Error) != 0 ? kFindings : kClean;
}

}  // namespace capwright::cli
