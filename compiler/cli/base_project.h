// The repository as it was, to compare with what it is: another checkout, or a revision, opened on its own file system.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "files/write.h"
#include "pipeline/project.h"

namespace capwright::cli {

struct BaseProject {
  SourceSet sources;  // its capwright.yaml
  Sink sink;
  Arena arena;
  OriginTable origins;
  std::unique_ptr<Project> project;   // null: it can't be opened, the sink says why
  std::unique_ptr<OutputTree> tree;   // that earlier generations are taken from
  std::vector<std::string> clusters;  // values files of all
};

// `workspace` says where it is in `fs`. It is rendered with the options of `now`: values that were given on the command
// line count on both sides.
std::unique_ptr<BaseProject> open_base(FileSystem& fs, const Workspace& workspace, const Project& now);

}  // namespace capwright::cli
