// Folders in `clusters/` that no values file makes on either side of a comparison, beside the clusters that are
// rendered. Argo CD and Flux apply their files as they are.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "diff/fleet.h"

namespace capwright::workflow {

class LooseFolderPairs final : public diff::PairSource {
 public:
  // `rendered`: the pairs of both sides' values files.
  LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                   const diff::RenderedSide& after);
  std::size_t size() const override { return rendered_->size() + folders_.size(); }
  diff::LoadedPair load(std::size_t number) override;

 private:
  std::unique_ptr<diff::PairSource> rendered_;
  diff::RenderedSide before_, after_;
  std::vector<std::string> folders_;  // by name
};

}  // namespace capwright::workflow
