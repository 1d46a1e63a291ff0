// The terminal: results go to stdout, findings and progress to stderr. The only place that asks for the environment.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "report/finding.h"

namespace capwright::cli {

enum ExitCode : int { kClean = 0, kFindings = 1, kUsageError = 2, kInternalError = 70, kInterrupted = 130 };

class Console {
 public:
  explicit Console(const CommonOptions& options);

  // To stdout, for programs and pipes. False once it can't be written (a full disk, a closed pipe).
  bool print(std::string_view text);
  // To stderr, unless --quiet.
  void say(std::string_view line) const;
  // One line to stderr: what went wrong and what to do.
  void fail(std::string_view message) const;
  // What people read beside the findings, such as a diff: to stdout, unless a form for programs is there.
  void print_beside(std::string_view text);
  // Findings in the chosen format: text and concise go to stderr, forms for programs to stdout, unless it is taken by a
  // result; and into the files that were asked for.
  void show(const report::Findings& findings, bool stdout_is_taken = false);
  // The same, where findings are what was asked for: to stdout in every form.
  void show_as_result(const report::Findings& findings);
  void show_as_result(std::span<const report::Finding> findings);
  // To stderr, in a form for people: what stands in the way of a result.
  void show_beside(std::span<const report::Finding> findings) const;
  // Into the files that were asked for, alone.
  void write_reports(std::span<const report::Finding> findings);
  bool color() const { return color_; }
  bool verbose() const { return options_.verbose; }
  // Nothing was lost on the way to stdout and to files; to be asked last.
  bool flush();

 private:
  const CommonOptions& options_;
  bool color_ = false;
  bool broken_ = false;  // stdout
  bool lost_ = false;    // a report's file
};

// 2 when the world outside of values and templates is at fault, 1 when there is an error among them, else 0.
ExitCode exit_code(const report::Findings& findings);

}  // namespace capwright::cli
