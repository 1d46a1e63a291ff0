// What a run of the linter has found, in numbers: the end of what it says.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "report/finding.h"

namespace capwright::cli {

class LintCounts {
 public:
  LintCounts() = default;
  explicit LintCounts(const report::Findings& findings);

  // How many of its code there are with it. `times`: how often it is there.
  std::size_t add(const Diagnostic& diagnostic, std::size_t times = 1);
  void add_outside_fault() { has_outside_fault_ = true; }

  // "  12  CAP401  even-control-plane" for each code, the most frequent first.
  std::string statistics() const;
  // "1 error and 2 warnings, 3 notes"; empty when nothing was found.
  std::string summary() const;
  int exit_code(const LintOptions& options) const;
  // Codes with their numbers, sorted.
  std::vector<std::pair<std::string_view, std::size_t>> codes() const;

 private:
  struct OfCode {
    std::string_view name;
    std::size_t count = 0;
  };
  std::size_t count(Severity severity) const { return severities_[static_cast<std::size_t>(severity)]; }

  bool has_outside_fault_ = false;
  std::size_t severities_[3] = {};
  std::map<std::string_view, OfCode> codes_;
};

}  // namespace capwright::cli
