// Renders of a cluster that are recorded elsewhere than in the output folder: in Git's commits. An OutputTree may have
// one. Then generations of templates go on from there, and files that a merge has mixed are recognized.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/index.h"
#include "files/previous.h"

namespace capwright {

// Several threads may ask one.
class RenderHistory {
 public:
  virtual ~RenderHistory() = default;

  // The committed render that the next one goes on from, which has no index if the cluster was never committed.
  // Nothing: what is committed is no index, so that the output folder has to do.
  virtual std::optional<PreviousCluster> previous(const std::string& cluster, Sink&) const = 0;
  // Whether exactly this index is committed, and nothing else counts for previous().
  virtual bool has_index(const std::string& cluster, std::string_view index_text) const = 0;

  // Whether a merge is under way: the output folder may have files of several renders.
  virtual bool is_merging() const = 0;
  // Indexes of the renders that the files in the output folder may be from.
  virtual std::vector<Index> renders(const std::string& cluster) const = 0;
  // Whether a file is what Git makes of renders when it merges them, with or without conflicts, and nothing else.
  virtual bool is_merged(const std::string& cluster, const std::string& path, const std::string& text) const = 0;
};

}  // namespace capwright
