// Checks a golden case: compares the render of its values with its stored tree, and with the expectations of its
// expect.yaml.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/providers.h"
#include "diff/record.h"
#include "golden/cases.h"
#include "golden/kept_tree.h"
#include "pipeline/config.h"
#include "source/process.h"

namespace capwright::golden {

// State that all cases of a run share.
struct Repository {
  FileSystem& fs;
  Workspace workspace;
  std::string config;            // the name of its configuration; empty: none
  Programs* programs = nullptr;  // to decrypt layers; null: not allowed
  std::vector<Case> cases;
  admission::Providers providers{admission::built_in_rules()};
};

struct Fault {
  std::string what;       // one line
  std::string details;    // further lines; may be empty
  bool grouped = false;   // Outcome::record contains it, too
  std::string help = {};  // the edit; empty: `test --update`, or none that is known
};

struct Outcome {
  std::string set, name;      // of the case
  std::vector<Fault> faults;  // empty: all expectations are met
  // The differences between render and tree, object by object; empty if they can't be compared.
  std::optional<diff::ClusterRecord> record;
  std::vector<FileEdit> edits;
};

// `golden` is one of `repository.cases`. Threads may check different cases concurrently.
Outcome check_case(const Case& golden, Repository& repository);

// The first case that `wanted` names, relative to `set`: `CASE`, or `SET/CASE`. Null: there is none.
const Case* find_case(const std::vector<Case>& cases, std::string_view set, std::string_view wanted);

}  // namespace capwright::golden
