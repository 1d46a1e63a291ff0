// The audit database: a row for each published render of a cluster, and one for each request of a client to publish.
// docs/audit.md describes the columns.
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
  bool latest = false;                // only the newest of each cluster, remote and branch
  std::uint32_t most = 0;             // rows; 0: all
  bool whole = false;                 // with values and files
};

// A client's request, and the process that works on it.
struct RequestClaim {
  std::string id, fingerprint;  // the key, and a digest of everything that the client sent with it
  std::string caller, cluster;
  std::string holder;               // of the clone
  std::int64_t now = 0, until = 0;  // seconds since 1970 in UTC; after `until`, other holders may take it over
};

struct RequestState {
  enum class Kind : std::uint8_t {
    Taken,  // by the claim
    Held,   // by another holder
    Other,  // the fingerprint is another one
    Done,
  };
  Kind kind = Kind::Taken;
  std::string pushed_onto;  // of Taken: see note_push()
  std::string answer;       // of Done
};

// If a call fails, its result is empty and `why` has the reason.
class Store {
 public:
  // With Access::Write, it creates missing tables, and changes older layouts to the current one.
  static std::unique_ptr<Store> open(const std::string& where, database::Access access, std::string& why);

  // Atomic. Existing rows are unchanged. False: failed.
  bool add(const std::vector<ClusterRender>& renders, std::string& why);
  // Each of these is atomic, too. A claim by the same holder replaces the earlier one: its process has ended.
  std::optional<RequestState> claim(const RequestClaim& claim, std::string& why);
  // A push begins, onto this commit of the branch. The first call of a request counts.
  bool note_push(const RequestClaim& claim, const std::string& pushed_onto, std::string& why);
  // Adds rows and keeps the answer.
  bool finish(const RequestClaim& claim, const std::vector<ClusterRender>& renders, const std::string& answer,
              std::string& why);
  // Forgets a request without a push.
  bool release(const RequestClaim& claim, std::string& why);

  // Newest first; rows of one publication by cluster.
  std::optional<std::vector<ClusterRender>> find(const Query& query, std::string& why);

 private:
  explicit Store(std::unique_ptr<database::Connection> connection) : connection_(std::move(connection)) {}
  bool run(const std::string& statement, const database::Row& parameters, std::string& why);
  bool insert(const std::vector<ClusterRender>& renders, std::string& why);
  bool end(bool is_complete, std::string& why);
  bool take(const RequestClaim& claim, RequestState& state, std::string& why);

  std::unique_ptr<database::Connection> connection_;
};

// Whether this program can read the database. False: a newer one has changed its layout, or the database failed; `why`
// has the reason.
bool can_read(database::Connection& connection, std::string& why);

// Brings an empty or older database to the current layout, in one transaction.
bool migrate(database::Connection& connection, std::string& why);

}  // namespace capwright::audit
