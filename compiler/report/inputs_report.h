// The files that a cluster is rendered from, in the forms that build tools and Argo CD read. docs/scale-out.md
// describes them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::report {

// Paths are relative to the root of the repository, sorted.
struct ClusterInputs {
  std::string name, values_path;
  std::vector<std::string> files;    // read
  std::vector<std::string> missing;  // looked for: the render would read such a file
  std::vector<std::string> folders;  // listed: the render would read a file that is added
  std::string tree;                  // the folder of the earlier render, which the next one continues; empty: none
  // For tools that compare times of files: those of the earlier render, and the existing folders in which the missing
  // files would appear.
  std::vector<std::string> tree_files, watched;
  std::vector<std::string> outputs;  // its rendered files outside of `tree`
};

// One path per line, with `/` after a folder, and what is missing marked as such.
std::string inputs_as_text(std::span<const ClusterInputs> clusters);

// {"version": 1, "clusters": [{name, values, files, missing, folders, tree}]}
std::string inputs_as_json(std::span<const ClusterInputs> clusters);

// A rule for make and Ninja's depfiles. `prefix` leads from the working directory to the root. `why`: the path that
// can't be written in this form, with the reason; the text is then empty. So for the other forms.
std::string inputs_as_depfile(const ClusterInputs& cluster, std::string_view target, std::string_view prefix,
                              std::string& why);

// A `filegroup` for the BUILD file in the root of the repository.
std::string inputs_as_bazel(const ClusterInputs& cluster, std::string& why);

// The value of Argo CD's annotation `manifest-generate-paths`. `root`: from the top of the Git repository to the root,
// "" or "fleet/".
std::string inputs_as_annotation(const ClusterInputs& cluster, std::string_view root, std::string& why);

// A cluster with inputs that differ from those in a revision.
struct AffectedCluster {
  std::string name, values_path;
  std::vector<std::string> changed;  // files and folders, sorted
};

struct AffectedClusters {
  std::string base;  // the revision
  std::vector<AffectedCluster> clusters;
  std::vector<AffectedCluster> removed;  // their values files aren't there anymore
};

// One name per line; `verbose`: and below it what has changed.
std::string affected_as_text(const AffectedClusters& affected, bool verbose);

// A line about the removed clusters; empty: there are none.
std::string removed_as_text(const AffectedClusters& affected);

// {"version": 1, "base", "clusters": [{name, values, changed}], "removed": [{name, values}]}, on one line: CI systems
// take job matrices from a line of a file.
std::string affected_as_json(const AffectedClusters& affected);

}  // namespace capwright::report
