// What a run of the linter has found, in numbers: the end of what it says.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/lint_options.h"
#include "lint/facts/unknown_kinds.h"
#include "report/finding.h"

namespace capwright::cli {

class LintCounts {
 public:
  LintCounts() = default;
  explicit LintCounts(const report::Findings& findings);

  // How many of its code there are with it. `times`: how often it is there.
  std::size_t add(const Diagnostic& diagnostic, std::size_t times = 1);
  void add_outside_fault() { has_outside_fault_ = true; }
  // Objects of which only rules that take any kind can say something.
  void add_unknown_kinds(const lint::UnknownKinds& kinds) { unknown_kinds_.add(kinds); }

  // "  12  CAP401  even-control-plane" for each code, the most frequent first; the same as JSON.
  std::string statistics(Format form) const;
  // "1 error, 2 warnings, 3 notes", or "nothing found in 2 files"; and what can't be judged.
  std::string summary(std::string_view looked_at) const;
  // The same of a stream: "1 error in 2 documents".
  std::string summary_of_stream(std::size_t documents) const;
  int exit_code(const LintOptions& options) const;
  // Codes with their numbers, sorted.
  std::vector<std::pair<std::string_view, std::size_t>> codes() const;

 private:
  struct OfCode {
    std::string_view name;
    std::size_t count = 0;
  };
  std::size_t count(Severity severity) const { return severities_[static_cast<std::size_t>(severity)]; }

  std::string found() const;
  std::string unjudged() const;

  bool has_outside_fault_ = false;
  lint::UnknownKinds unknown_kinds_;
  std::size_t severities_[3] = {};
  std::map<std::string_view, OfCode> codes_;
};

}  // namespace capwright::cli
