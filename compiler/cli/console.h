// The terminal: results go to stdout, findings and progress to stderr. The only code that reads the environment.
#pragma once
#include <cstddef>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common_options.h"
#include "report/finding.h"
#include "report/formats.h"
#include "report/text.h"

namespace capwright::cli {

enum ExitCode : int { kClean = 0, kFindings = 1, kUsageError = 2, kInternalError = 70, kInterrupted = 130 };

class Console {
 public:
  explicit Console(const CommonOptions& options);

  // Prints to stdout. Returns false once writing fails (a full disk, a closed pipe).
  bool print(std::string_view text);
  // To stderr, unless --quiet.
  void say(std::string_view line) const;
  // To stderr, also with --quiet: a result that isn't the one that was asked for.
  void insist(std::string_view line) const;
  // One line to stderr: the error and its fix. Returns kUsageError.
  int fail(std::string_view message) const;
  // Human-readable output in addition to findings, such as a diff: to stdout, unless a machine-readable format is
  // selected.
  void print_beside(std::string_view text);
  // Findings in the selected format: text and concise go to stderr, machine-readable formats to stdout, unless a result
  // uses it. Also written to the requested files.
  void show(const report::Findings& findings, bool stdout_is_taken = false);
  // The same for commands whose result is the findings: to stdout in every format.
  void show_as_result(const report::Findings& findings);
  void show_as_result(std::span<const report::Finding> findings);
  // To stderr, in a human-readable format: errors that prevent a result.
  void show_beside(std::span<const report::Finding> findings) const;
  // For finish_run(): findings that are shown by other means.
  void note_shown(std::span<const report::Finding> findings) const;
  // Writes a file of results. Returns false after an error, and so does flush().
  bool save(const std::string& path, std::string_view text);
  // For JUnit, in addition to findings. Before they are shown.
  void add_cases(std::vector<report::RunCase> cases) { cases_ = std::move(cases); }
  // Only writes the requested files.
  void write_reports(std::span<const report::Finding> findings);
  // Whether text is colored: that of print(), and that of print_beside().
  bool color() const { return color_; }
  bool colors_beside() const { return is_for_people() ? color_ : colors_errors_; }
  bool verbose() const { return options_.verbose; }
  // Whether all output to stdout and to files was written. Call it last.
  bool flush();
  // Prints the text, and returns flush() as the exit code of a run without findings.
  int finish(std::string_view text = {});

 private:
  bool is_for_people() const;
  report::TextOptions text_options(bool color) const;
  std::string in_form(std::span<const report::Finding> findings, std::string_view form,
                      report::TextOptions options) const;

  const CommonOptions& options_;
  bool color_ = false;          // of stdout
  bool colors_errors_ = false;  // of stderr
  bool broken_ = false;         // stdout
  bool lost_ = false;           // a report's file
  std::vector<report::RunCase> cases_;
};

// The columns of help on this stream: those of a terminal, at most 100; otherwise 80.
std::size_t help_width(std::FILE* stream);

// Ends a run. If it failed, the last line names the command that explains the finding that was shown first, errors
// before others, unless findings were shown in another format than text.
void finish_run(int exit_code);

// 2 for errors outside of values and templates, 1 for other errors, otherwise 0.
ExitCode exit_code(const report::Findings& findings);

// Whether a user can answer: not in CI, and not with input or messages redirected.
bool can_ask_user();
// Asks for `y` or `yes`. Call it only if a user can answer. `waits` runs between the question and the answer; if it
// returns false, there is no answer.
bool ask_user(std::string_view question, const std::function<bool()>& waits = nullptr);

}  // namespace capwright::cli
