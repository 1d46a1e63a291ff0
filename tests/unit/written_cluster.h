// Writes the cluster `prod` into a file system in memory, and shows what is there afterwards.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/output_tree.h"
#include "rendered_text.h"
#include "source/memory_fs.h"

namespace capwright::test {

using Files = std::vector<std::pair<std::string, std::string>>;
using WrittenTree = std::map<std::string, std::string>;
using Outcome = WriteResult::Outcome;

inline const Files kOld{{"cluster.yaml", "a: 1\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"gone/y.yaml", "y: 1\n"}};
inline const Files kNew{
    {"cluster.yaml", "a: 2\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"addons/z/values.yaml", "z: 1\n"}};

inline RenderStamp stamp(std::string_view inputs = "inputs") { return {"0.1.0", "capo", "1", sha256(inputs)}; }

struct Run {
  WriteResult result;
  std::string codes;  // of what was reported
  std::string messages;
};

inline Run write(MemoryFs& fs, const Files& files, WriteOptions options = {}, const RenderStamp& made_by = stamp()) {
  Run run;
  Sink sink;
  OutputTree tree(fs, "out", "out");
  tree.allow(test_outputs());
  run.result.outcome = Outcome::Failed;
  if (tree.open(OutputTree::Access::Write, sink)) {
    run.result = write_cluster(tree, test::rendered_files(files), made_by, options, sink);
  }
  for (const Diagnostic& diagnostic : sink.diagnostics()) {
    run.codes.append(run.codes.empty() ? "" : " ").append(diagnostic.info->code);
    run.messages += diagnostic.message + "\n";
  }
  return run;
}

// Files of a cluster with some outside of its directory, and later ones.
inline const Files kOldOutside{{"/argocd/apps/prod.yaml", "app: 1\n"},
                               {"/inventory/prod/hosts.yaml", "hosts: 1\n"},
                               {"/inventory/prod/vars/all.yaml", "vars: 1\n"},
                               {"cluster.yaml", "a: 1\n"},
                               {"gone/y.yaml", "y: 1\n"}};
inline const Files kNewOutside{{"/argocd/apps/prod.yaml", "app: 2\n"},
                               {"/inventory/prod/hosts.yaml", "hosts: 1\n"},
                               {"/inventory/prod/new.yaml", "new: 1\n"},
                               {"cluster.yaml", "a: 2\n"}};

// The whole output folder without indexes, the stage and empty folders.
inline WrittenTree output_files(const MemoryFs& fs) {
  const std::string prefix = "out/";
  WrittenTree files;
  for (const auto& [path, content] : fs.tree()) {
    const bool is_own = path.ends_with(kIndexName) || path.find("/.capwright-stage/") != std::string::npos;
    if (path.starts_with(prefix) && !is_own && content != "/") files[path.substr(prefix.size())] = content;
  }
  return files;
}

inline WrittenTree output_of(const Files& files) {
  WrittenTree tree;
  for (const auto& [path, content] : files) tree[path_in_output("prod", path)] = content;
  return tree;
}

// The tree as it is below the cluster, without the index.
inline WrittenTree cluster_files(const MemoryFs& fs) {
  const std::string prefix = "out/clusters/prod/";
  WrittenTree files;
  for (const auto& [path, content] : fs.tree()) {
    if (path.starts_with(prefix) && !path.ends_with(kIndexName)) files[path.substr(prefix.size())] = content;
  }
  return files;
}

inline WrittenTree tree_of(const Files& files) { return {files.begin(), files.end()}; }

inline bool has_stage(const MemoryFs& fs) {
  const WrittenTree tree = fs.tree();
  return std::any_of(tree.begin(), tree.end(),
                     [](const auto& file) { return file.first.find(".capwright-stage") != std::string::npos; });
}

inline bool changed_something(const MemoryFs& fs) {
  return std::any_of(fs.log().begin(), fs.log().end(), [](const std::string& call) {
    return !call.starts_with("read") && !call.starts_with("open_dir") && !call.starts_with("lock") &&
           !call.starts_with("list") && !call.starts_with("stat");
  });
}

}  // namespace capwright::test
