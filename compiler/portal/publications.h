// The publications of a server: one at a time, and each key once.
#pragma once
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "plan/gate.h"
#include "portal/message.h"
#include "publish/settings.h"

namespace capwright::portal {

struct Call;
struct ClusterRequest;

struct PublishOptions {
  plan::Gate gate;                                   // limits that no request can lift
  publish::Place place;                              // the process
  std::optional<std::string> token_env, token_file;  // where to read the token for Gitea's API
};

// What a request says besides its values.
struct PublishRequest {
  std::string id;                              // of its key and its caller
  std::string fingerprint;                     // of all that was sent
  std::set<std::string, std::less<>> allowed;  // verbs
  bool if_missing = false;                     // If-None-Match: *
  std::string expected_id;                     // If-Match; empty: none
};
// Empty: `refused` is the response.
std::optional<PublishRequest> read_publish_request(const Call& call, Response& refused);

// Several threads may use it.
class Publications {
 public:
  explicit Publications(PublishOptions options) : options_(std::move(options)) {}

  Response publish(const Call& call, const ClusterRequest& request, const PublishRequest& wanted);

 private:
  const PublishOptions options_;
  std::mutex mutex_;               // guards the following member
  std::set<std::string> running_;  // ids
  std::timed_mutex turn_;          // held while one is published
};

}  // namespace capwright::portal
