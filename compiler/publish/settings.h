// How and where to publish a fleet: `publish:` of capwright.yaml, the command's options, and the user.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "publish/step.h"
#include "value/value.h"

namespace capwright::publish {

// When to push to a separate branch for review.
enum class PullRequest : std::uint8_t {
  Auto,  // if the host reports that the branch is protected
  Always,
  Never,
};

enum class Transport : std::uint8_t {
  Git,    // a push
  Gitea,  // the API of the host
};

// How to reach Gitea's API. Settings never contain the token itself.
struct GiteaSettings {
  std::string url;                        // of the repository; empty: the remote's
  std::string token_env = "GITEA_TOKEN";  // the variable with the token
  std::string token_file;                 // rejected if set
  std::int64_t most_seconds = 300;        // per request
};

struct Settings {
  Transport via = Transport::Git;
  GiteaSettings gitea;
  std::string remote = "origin";
  std::string url;     // the expected URL of the remote; empty: not compared
  std::string branch;  // the destination; empty: the checked-out branch
  std::int64_t lock_seconds = 3600;
  std::int64_t wait_seconds = 60;  // for another run's lock
  bool remote_lock = true;
  bool unattended = false;  // push without confirmation if there is no terminal
  PullRequest pull_request = PullRequest::Auto;
  std::string pull_request_branch = "capwright/{branch}";
  std::string config_path;  // of the configuration, in commits: "fleet/capwright.yaml"; empty: unknown
};

// `document` must be valid by the schema of capwright.yaml.
Settings read_settings(const Value& document);

// The values of one cluster that a client sends for publishing. The tip of the remote branch is rendered with them, and
// one commit has both; the checked-out commit and the working tree don't matter.
inline constexpr std::string_view kRequestTrailer = "Capwright-Request";
struct Request {
  std::string id;       // in the commit's message, which so shows whether it was delivered
  std::string caller;   // who sent it
  std::string cluster;  // its name
};

struct Options {
  Choice choice;
  bool yes = false, restart = false, break_lock = false;
  bool auto_commit = false, confirm_commit = false, run_hooks = false;
  bool allow_older = false;                  // publish a commit without the history of the published one
  std::optional<std::int64_t> wait_seconds;  // overrides the setting
  std::optional<Request> request;            // then Fleet::render() adds its values
};

// The environment of the process.
struct Place {
  std::string host;
  int process = 0;       // its id
  int minutes_east = 0;  // offset of the local time from UTC
  std::string tool_version;
};

}  // namespace capwright::publish
