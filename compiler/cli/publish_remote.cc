// The token is read here, from where the configuration says that it is, and handed on by value; it is in no message.
#include "cli/publish_remote.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "diag/publish_catalog.h"
#include "publish/git_remote.h"
#include "publish/gitea_remote.h"

namespace capwright::cli {
namespace {

constexpr std::uint64_t kLargestToken = 4096;  // bytes

}  // namespace

publish::Remote* ChosenRemote::choose(Sink& sink) {
  if (settings_.via == publish::Via::Gitea) return choose_gitea(sink);
  Programs* git = hooks_ ? &open_.programs : nullptr;
  remote_ = std::make_unique<publish::GitRemote>(repository_, git::RemoteAccess{&open_.programs, std::nullopt, ""},
                                                 settings_.remote, git);
  return remote_.get();
}

publish::Remote* ChosenRemote::choose_gitea(Sink& sink) {
  std::string url = settings_.gitea.url;
  if (url.empty()) {
    const auto configured = repository_.remote_url(settings_.remote, sink);
    if (!configured) return nullptr;
    url = *configured;
  }
  const auto place = gitea::read_place(url);
  if (!place) {
    sink.report(diag::no_gitea_url, Span(), git::shown_url(url))
        .advise(
            "`publish.gitea.url` of `capwright.yaml` names the repository's page, "
            "as `https://git.example.com/platform/fleet`");
    return nullptr;
  }
  auto secret = token(place->clone, sink);
  if (!secret) return nullptr;
  client_ = http::real_client({settings_.gitea.most_seconds, repository_.path_setting("http.sslCAInfo").value_or("")});
  api_.emplace(*client_, *place, std::move(*secret));
  remote_ = std::make_unique<publish::GiteaRemote>(repository_, *api_);
  return remote_.get();
}

std::optional<std::string> ChosenRemote::token(const std::string& url, Sink& sink) {
  const publish::GiteaSettings& gitea = settings_.gitea;
  std::string text, where, why;
  if (!gitea.token_file.empty()) {
    where = gitea.token_file;
    const IoError error = open_.fs.read(open_.project->workspace().io_path(where), text, kLargestToken);
    if (error) why = fmt::format("`{}` can't be read: {}", where, describe(error));
  } else {
    where = gitea.token_env;
    const char* value = std::getenv(where.c_str());
    if (value == nullptr) why = fmt::format("the environment variable `{}` is not set", where);
    else text = value;
  }
  while (text.ends_with('\n') || text.ends_with('\r') || text.ends_with(' ')) text.pop_back();
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  if (why.empty() && text.empty()) why = fmt::format("`{}` is empty", where);
  if (why.empty() && !std::all_of(text.begin(), text.end(), is_plain))
    why = fmt::format("`{}` has spaces, line breaks or letters that no token has", where);
  if (why.empty()) return text;
  sink.report(diag::token_missing, Span(), url, why);
  return std::nullopt;
}

}  // namespace capwright::cli
