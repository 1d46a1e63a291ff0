// Folders in `clusters/` that no values file makes on either side of a comparison, beside the clusters that are
// rendered. Argo CD and Flux apply their files as they are.
#pragma once
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "diff/fleet.h"
#include "lint/engine/lint.h"

namespace capwright::workflow {

// The folders in `clusters/` of the tree that have files, and that none of these values files makes, by name.
std::vector<std::string> folders_without_values(const OutputTree&, const std::vector<std::string>& values_paths,
                                                Project&);
// The first file beside these manifests that makes a tool build its folder, so that they aren't applied as they are;
// not all such files are manifests by their names. Empty: there is none.
std::string file_for_a_build(std::span<const lint::Manifest> manifests, FileSystem&, const Workspace&);

class LooseFolderPairs final : public diff::PairSource {
 public:
  // `rendered`: the pairs of both sides' values files.
  LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                   const diff::RenderedSide& after);
  // Of two trees whose clusters are known: `made` has those that values files make, `removed` the folders that leave
  // with the side after. Folders of one tree on both sides are equal.
  LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                   const diff::RenderedSide& after, const std::set<std::string>& made,
                   const std::vector<std::string>& removed);
  std::size_t size() const override { return rendered_->size() + folders_.size(); }
  diff::LoadedPair load(std::size_t number) override;

 private:
  std::unique_ptr<diff::PairSource> rendered_;
  diff::RenderedSide before_, after_;
  std::vector<std::string> folders_;  // by name
  std::set<std::string> removed_;
};

}  // namespace capwright::workflow
