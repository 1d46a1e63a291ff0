// The remote of a publication, by `publish.via`.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "cli/open_project.h"
#include "git/repository.h"
#include "gitea/api.h"
#include "publish/remote.h"
#include "publish/settings.h"

namespace capwright::cli {

class ChosenRemote {
 public:
  // With `hooks` a push is left to the program `git`. All are outlived.
  ChosenRemote(OpenProject& open, git::Repository& repository, const publish::Settings& settings, bool hooks)
      : open_(open), repository_(repository), settings_(settings), hooks_(hooks) {}

  // Null: it can't be reached with what is configured; reported. To be called once.
  publish::Remote* choose(Sink& sink);

 private:
  publish::Remote* choose_gitea(Sink& sink);
  std::optional<std::string> token(const std::string& url, Sink& sink);

  OpenProject& open_;
  git::Repository& repository_;
  const publish::Settings& settings_;
  const bool hooks_;
  std::unique_ptr<http::Client> client_;
  std::optional<gitea::Api> api_;
  std::unique_ptr<publish::Remote> remote_;
};

}  // namespace capwright::cli
