// Records a publication as rows: the single entry point for publishing.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "audit/row.h"
#include "audit/store.h"

namespace capwright::audit {

// The database, and whether to store the texts of files.
struct Place {
  std::string database;  // an address for database::connect(); the directory of a file exists
  bool keeps_text = false;
};

// The published fleet.
struct Fleet {
  std::span<const CompiledCluster* const> clusters;
  std::span<const GoneCluster> gone = {};
};

// The rows that record() adds, without adding them.
std::optional<std::vector<ClusterRender>> new_rows(Store& store, const Publication& publication, const Fleet& fleet,
                                                   bool keeps_text, std::string& why);

// Adds a row for each cluster whose render differs from its newest row for this remote and branch, and for each removed
// cluster whose newest row isn't a removal; so a repeated call adds nothing. Atomic. Returns the number of rows; empty:
// it failed, and `why` has the reason.
std::optional<std::size_t> record(const Place& place, const Publication& publication, const Fleet& fleet,
                                  std::string& why);

}  // namespace capwright::audit
