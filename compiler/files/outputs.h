// `template.outputs` of capwright.yaml: the files that clusters may have outside of `clusters/<name>/`. Paths are
// relative to the output folder.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/delivery.h"

namespace capwright {

// Such as `argocd/apps/${cluster_name}.yaml`. All parts before the first one with the name are fixed text, so that this
// part alone says which cluster a path belongs to. Later parts may have `*`, and the last one may be `**`.
class OutputPattern {
 public:
  // Empty, with the reason in `why`, if the text isn't a valid pattern.
  static std::optional<OutputPattern> parse(std::string_view text, std::string& why);

  const std::string& text() const { return text_; }
  // The fixed parts: `argocd/apps`.
  std::string folder() const;
  // The name of the only cluster that may have this path, a view into it; empty: the pattern doesn't match.
  std::string_view owner(std::string_view path) const;
  // Whether the two patterns allow two clusters to have one path, or a file where the other needs a folder. Differences
  // of case don't count: some systems ignore them.
  bool clashes_with(const OutputPattern& other) const;
  // Whether a file of the pattern may be at, above or below `path`.
  bool reaches(std::string_view path) const;

 private:
  bool named_part_fits(std::string_view part) const;

  std::string text_;
  std::vector<std::string> parts_;
  std::size_t named_ = 0;        // the first part with the name
  std::string prefix_, suffix_;  // of the name in it
};

// No two patterns clash. Also says which tool applies the output folder, for messages about its files.
class Outputs {
 public:
  Outputs() = default;
  explicit Outputs(std::vector<OutputPattern> patterns) : patterns_(std::move(patterns)) {}

  bool empty() const { return patterns_.empty(); }
  const std::vector<OutputPattern>& patterns() const { return patterns_; }
  // The only cluster that may have this path, a view into it; empty: none.
  std::string_view owner(std::string_view path) const;
  bool allow(std::string_view cluster, std::string_view path) const {
    return !cluster.empty() && owner(path) == cluster;
  }
  Delivery delivery() const { return delivery_; }
  Outputs applied_by(Delivery delivery) const {
    Outputs applied = *this;
    applied.delivery_ = delivery;
    return applied;
  }

 private:
  std::vector<OutputPattern> patterns_;
  Delivery delivery_ = Delivery::ArgoCd;
};

// Whether the path may be a cluster's file outside of its folder, by any configuration: it has a folder other than
// `clusters`, and no part that starts with a dot, which programs read as their settings. Expects a path without faults.
bool may_be_output(std::string_view path);

}  // namespace capwright
