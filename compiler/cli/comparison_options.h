// Options of the commands that compare two sides.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.h"
#include "diag/diag.h"

namespace capwright::cli {

// Two sides: the tree and its new render; or two folders, if exactly these are the targets.
struct ComparisonOptions {
  CommonOptions common;  // its format is the result's
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> output;  // -o: the folder with the tree
  std::optional<std::string> base;    // the repository to compare with: a revision, or another checkout
  bool merge_base = false;            // use the merge base of `base` and HEAD
  bool upgrade_set = false;
  unsigned jobs = 0;  // 0: one per processor

  bool needs_git() const;
  bool gains_from_git() const { return !plain; }
};

struct DiffOptions : ComparisonOptions {
  std::vector<std::string> ignore_paths, ignore_profiles;
  bool by_cluster = false, text = false, exit_zero = false, detailed_exitcode = false;
  std::size_t budget = 0;  // maximum bytes of Markdown; 0: unlimited
};

struct PlanOptions : ComparisonOptions {
  std::vector<std::string> fail_on;       // verbs that must not happen, with optional targets
  std::vector<std::string> allow_delete;  // clusters that may be deleted: names, globs
  std::optional<std::string> max_roll;    // machines, or a share of all: "20", "5%"
  Severity fail_level = Severity::Warning;
  bool by_cluster = false;
  std::size_t budget = 0;  // maximum bytes of Markdown; 0: unlimited
};

}  // namespace capwright::cli
