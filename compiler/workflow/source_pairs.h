// The sources of capwright.yaml on both sides of a comparison, beside the clusters that are rendered.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "diff/fleet.h"
#include "workflow/source_manifests.h"

namespace capwright::workflow {

struct SourcesSide {
  std::vector<const ManifestSource*> sources;
  SourceAccess access;
};

// A cluster that was a source, and is rendered now.
struct MovedSource {
  const ManifestSource* before;
  std::string values_path;
};

struct SourcesChange {
  SourcesSide before, now;
  std::vector<MovedSource> moved;
};

class SourcePairs final : public diff::PairSource {
 public:
  // `rendered`: the clusters without the moved ones; `after`: renders these.
  SourcePairs(std::unique_ptr<diff::PairSource> rendered, const SourcesChange& change, diff::RenderedSide after,
              diff::Traces traces);
  std::size_t size() const override { return rendered_->size() + pairs_.size(); }
  diff::LoadedPair load(std::size_t number) override;

 private:
  struct Pair {
    const ManifestSource* before = nullptr;
    const ManifestSource* now = nullptr;
    std::string values_path;  // in place of `now`
  };
  std::unique_ptr<diff::PairSource> rendered_;
  SourceAccess before_, now_;
  diff::RenderedSide after_;
  diff::Traces traces_;
  std::vector<Pair> pairs_;  // by name
};

// The sources that were removed, and have the name of a new values file.
std::vector<MovedSource> moved_sources(const SourcesSide& before, const SourcesSide& now,
                                       const std::vector<std::string>& new_values, Project& project);

}  // namespace capwright::workflow
