// Renders of a cluster that are recorded outside of the output folder: in Git commits. If an OutputTree has one,
// generations of templates continue from it, and files that a merge has combined are recognized.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/index.h"
#include "files/previous.h"

namespace capwright {

// Thread-safe.
class RenderHistory {
 public:
  virtual ~RenderHistory() = default;

  // The committed render that precedes the next one; without an index if the cluster was never committed. Empty: the
  // committed index is invalid, so use the output folder.
  virtual std::optional<PreviousCluster> previous(const std::string& cluster, Sink&) const = 0;
  // Whether exactly this index is committed, and previous() uses only that.
  virtual bool has_index(const std::string& cluster, std::string_view index_text) const = 0;

  // Whether a merge is in progress: the output folder may have files of several renders.
  virtual bool is_merging() const = 0;
  // Indexes of the renders that files in the output folder may come from.
  virtual std::vector<Index> renders(const std::string& cluster) const = 0;
  // Whether a file is exactly what Git writes when it merges renders, with or without conflicts.
  virtual bool is_merged(const std::string& cluster, const std::string& path, const std::string& text) const = 0;
};

}  // namespace capwright
