// How and where a fleet is published: `publish:` of capwright.yaml, the command's options, and who runs it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "publish/step.h"
#include "value/value.h"

namespace capwright::publish {

// When the commit goes to a branch of its own, for somebody to merge.
enum class PullRequest : std::uint8_t {
  Auto,  // when the host says that the branch is protected
  Always,
  Never,
};

enum class Via : std::uint8_t {
  Git,    // a push
  Gitea,  // the API of the host
};

// How a Gitea's API is reached. The token itself is never part of settings.
struct GiteaSettings {
  std::string url;                        // of the repository; empty: the remote's
  std::string token_env = "GITEA_TOKEN";  // the variable that has the token
  std::string token_file;                 // refused, if not empty
  std::int64_t most_seconds = 300;        // for one request
};

struct Settings {
  Via via = Via::Git;
  GiteaSettings gitea;
  std::string remote = "origin";
  std::string url;     // what the remote has to be; empty: it isn't compared
  std::string branch;  // that is published to; empty: the one that is checked out
  std::int64_t lock_seconds = 3600;
  std::int64_t wait_seconds = 60;  // for the lock of another
  bool remote_lock = true;
  bool unattended = false;  // push without a confirmation off a terminal
  PullRequest pull_request = PullRequest::Auto;
  std::string pull_request_branch = "capwright/{branch}";
};

// `document` is a capwright.yaml that meets its schema.
Settings read_settings(const Value& document);

struct Options {
  Choice choice;
  bool yes = false, restart = false, break_lock = false;
  bool auto_commit = false, confirm_commit = false, run_hooks = false;
  std::optional<std::int64_t> wait_seconds;  // instead of the setting
};

// Of the process.
struct Place {
  std::string host;
  int process = 0;       // its id
  int minutes_east = 0;  // of the local time, from UTC
  std::string tool_version;
};

}  // namespace capwright::publish
