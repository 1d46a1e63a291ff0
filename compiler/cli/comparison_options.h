// What the commands that compare two sides are asked to do.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.h"
#include "diag/diag.h"

namespace capwright::cli {

// Two sides: the render against the tree; two folders against each other when exactly they are the targets.
struct ComparisonOptions {
  CommonOptions common;  // its format is the result's
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> output;  // -o: the folder that holds the tree
  std::optional<std::string> base;    // the repository before: a revision, or another checkout of it
  bool merge_base = false;            // of `base`, where HEAD has left it
  bool upgrade_set = false;
  unsigned jobs = 0;  // 0: as many as there are processors

  bool needs_git() const;
  bool gains_from_git() const { return !plain; }
};

struct DiffOptions : ComparisonOptions {
  std::vector<std::string> ignore_paths, ignore_profiles;
  bool by_cluster = false, text = false, exit_zero = false, detailed_exitcode = false;
  std::size_t budget = 0;  // bytes of Markdown; 0: any
};

struct PlanOptions : ComparisonOptions {
  std::vector<std::string> fail_on;       // what is not to happen: verbs, and what of them
  std::vector<std::string> allow_delete;  // clusters that may go: names, globs
  std::optional<std::string> max_roll;    // machines, or a part of all: "20", "5%"
  Severity fail_level = Severity::Warning;
  bool by_cluster = false;
  std::size_t budget = 0;  // bytes of Markdown; 0: any
};

}  // namespace capwright::cli
