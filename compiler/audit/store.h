// The table `cluster_renders`: a row for each published render of a cluster. docs/audit.md describes its columns.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/row.h"
#include "database/database.h"

namespace capwright::audit {

struct Query {
  std::vector<std::string> clusters;  // empty: all
  std::string id;                     // the prefix of a row's id; empty: any
  std::string remote, branch;         // empty: any
  bool latest = false;                // only the newest of each cluster
  std::uint32_t most = 0;             // rows; 0: all
  bool whole = false;                 // with values and files
};

// If a call fails, its result is empty and `why` has the reason.
class Store {
 public:
  // Creates a missing table with Access::Write.
  static std::unique_ptr<Store> open(const std::string& where, database::Access access, std::string& why);

  // Atomic. Existing rows are unchanged. False: failed.
  bool add(const std::vector<ClusterRender>& renders, std::string& why);
  // Newest first; rows of one publication by cluster.
  std::optional<std::vector<ClusterRender>> find(const Query& query, std::string& why);

 private:
  explicit Store(std::unique_ptr<database::Connection> connection) : connection_(std::move(connection)) {}
  bool run(const std::string& statement, const database::Row& parameters, std::string& why);

  std::unique_ptr<database::Connection> connection_;
};

}  // namespace capwright::audit
