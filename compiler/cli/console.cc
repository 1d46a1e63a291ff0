// Writing to stdout and stderr.
#include "cli/console.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "report/json.h"
#include "report/text.h"

namespace capwright::cli {
namespace {

bool wants_color(ColorMode mode) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(STDERR_FILENO) == 1;
}

bool write_all(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

}  // namespace

Console::Console(const CommonOptions& options) : options_(options), color_(wants_color(options.color)) {}

bool Console::print(std::string_view text) {
  broken_ = broken_ || !write_all(stdout, text);
  return !broken_;
}

void Console::say(std::string_view line) const {
  if (!options_.quiet) write_all(stderr, fmt::format("{}\n", line));
}

void Console::fail(std::string_view message) const {
  const std::string_view red = color_ ? "\x1b[1;31m" : "", reset = color_ ? "\x1b[0m" : "";
  write_all(stderr, fmt::format("{}error{}: {}\n", red, reset, message));
}

void Console::print_beside(std::string_view text) {
  if (options_.format == Format::Json) write_all(stderr, text);
  else print(text);
}

void Console::show(const report::Findings& findings, bool stdout_is_taken) {
  switch (options_.format) {
    case Format::Text: write_all(stderr, report::as_text(findings.all(), {.color = color_})); return;
    case Format::Concise: write_all(stderr, report::as_concise(findings.all())); return;
    case Format::Json:
      if (stdout_is_taken) write_all(stderr, report::as_json(findings.all()));
      else print(report::as_json(findings.all()));
      return;
  }
}

bool Console::flush() {
  if (std::fflush(stdout) != 0) broken_ = true;
  return !broken_;
}

ExitCode exit_code(const report::Findings& findings) {
  if (findings.has_outside_fault()) return kUsageError;
  return findings.count(Severity::Error) != 0 ? kFindings : kClean;
}

}  // namespace capwright::cli
