// Findings for files of the tree that differ from the render.
#pragma once
#include <string>

#include "files/output_tree.h"
#include "report/finding.h"

namespace capwright::workflow {

class StaleFiles {
 public:
  // `folder`: the output folder before a path, as shown: "", "deploy/". `output`: the same folder, for commands.
  void report(const TreeDifference& difference, const std::string& folder, const std::string& output);
  // Valid as long as this object.
  void add_to(report::Findings& findings) const { findings.add(sink_.diagnostics(), sources_, {}, ""); }

 private:
  SourceSet sources_;  // names and line numbers, without texts
  Sink sink_;
};

}  // namespace capwright::workflow
