// The remote of a publication, by `publish.via`.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "git/repository.h"
#include "gitea/api.h"
#include "publish/remote.h"
#include "publish/settings.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// Options of the command line.
struct RemoteOptions {
  bool dry_run = false;  // no token is read or sent
  bool hooks = false;    // push with the program `git`
  std::optional<std::string> token_env, token_file;
};

class ChosenRemote {
 public:
  // All arguments must outlive it.
  ChosenRemote(OpenProject& open, git::Repository& repository, const publish::Settings& settings, RemoteOptions options)
      : open_(open), repository_(repository), settings_(settings), options_(std::move(options)) {}

  // Null after reporting why the configured remote can't be used. Call it once.
  publish::Remote* choose(Sink& sink);

 private:
  publish::Remote* choose_gitea(Sink& sink);
  bool may_have_token(const gitea::Place& place, Sink& sink);
  std::string read_token(std::string& text) const;
  std::optional<std::string> token(const std::string& url, Sink& sink);

  OpenProject& open_;
  git::Repository& repository_;
  const publish::Settings& settings_;
  const RemoteOptions options_;
  std::unique_ptr<http::Client> client_;
  std::optional<gitea::Api> api_;
  std::unique_ptr<publish::Remote> remote_;
};

}  // namespace capwright::workflow
