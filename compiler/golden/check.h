// Whether a golden case is as expected: what its values render to, against the tree that is kept with it, and what its
// expect.yaml says.
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

// What all cases of a run share.
struct Repository {
  FileSystem& fs;
  Workspace workspace;
  std::string config;            // the name of its configuration; empty: there is none
  Programs* programs = nullptr;  // may be started to decrypt layers; null: nothing
  std::vector<Case> cases;
  admission::Providers providers{admission::built_in_rules()};
};

struct Fault {
  std::string what;      // one line
  std::string details;   // lines below it; may be empty
  bool grouped = false;  // Outcome::record says it, too
};

struct Outcome {
  std::string set, name;      // of the case
  std::vector<Fault> faults;  // empty: all is as expected
  // How the render differs from the tree, object by object; nothing when both can't be compared.
  std::optional<diff::ClusterRecord> record;
  std::vector<FileEdit> edits;
};

// `golden` is one of `repository.cases`. Threads may check different ones.
Outcome check_case(const Case& golden, Repository& repository);

// The first case that `wanted` names, as seen from one of `set`: `CASE`, or `SET/CASE`. Null: there is none.
const Case* find_case(const std::vector<Case>& cases, std::string_view set, std::string_view wanted);

}  // namespace capwright::golden
