// The repository to compare with: another checkout, or a revision, opened on its own file system.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "pipeline/project.h"

namespace capwright::workflow {

struct BaseProject {
  SourceSet sources;  // its capwright.yaml
  Sink sink;
  Arena arena;
  OriginTable origins;
  std::unique_ptr<Project> project;   // null: it can't be opened, the sink has the reason
  std::unique_ptr<OutputTree> tree;   // has the earlier generations
  std::vector<std::string> clusters;  // all values files
};

// Optional: a folder of values that doesn't exist has no clusters, as in a revision before the first one.
enum class ValuesFolders : std::uint8_t { Required, Optional };

// `workspace`: its location in `fs`. Uses the options of `now`: values of the command line apply to both sides.
std::unique_ptr<BaseProject> open_base(FileSystem& fs, const Workspace& workspace, const Project& now,
                                       ValuesFolders folders = ValuesFolders::Required);

}  // namespace capwright::workflow
