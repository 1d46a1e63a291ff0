// Reads the token from the configured source and passes it by value; messages never contain it.
#include "workflow/publish_remote.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "diag/catalog/publish.h"
#include "publish/git_remote.h"
#include "publish/gitea_remote.h"
#include "source/real_system.h"

namespace capwright::workflow {
namespace {

constexpr std::uint64_t kLargestToken = 4096;  // bytes
constexpr const char* kPinnedUrl = "CAPWRIGHT_GITEA_URL";
constexpr std::string_view kTokenVariable = "GITEA_TOKEN", kOwnVariables = "CAPWRIGHT_";

}  // namespace

publish::Remote* ChosenRemote::choose(Sink& sink) {
  const bool is_gitea = settings_.via == publish::Transport::Gitea;
  if (is_gitea && !options_.dry_run) return choose_gitea(sink);
  Programs* git = options_.hooks ? &open_.programs : nullptr;
  remote_ = std::make_unique<publish::GitRemote>(repository_, git::RemoteAccess{&open_.programs, std::nullopt, ""},
                                                 settings_.remote, git, !is_gitea);
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
            "set `publish.gitea.url` in `capwright.yaml` to the repository's page, such as "
            "`https://git.example.com/platform/fleet`");
    return nullptr;
  }
  if (!may_have_token(*place, sink)) return nullptr;
  auto secret = token(place->clone, sink);
  if (!secret) return nullptr;
  const auto authorities = repository_.path_setting("http.sslCAInfo");
  client_ = http::real_client({settings_.gitea.most_seconds, authorities ? *authorities : authorities_file()});
  api_.emplace(*client_, *place, std::move(*secret));
  remote_ = std::make_unique<publish::GiteaRemote>(repository_, *api_);
  return remote_.get();
}

// A proposed change may have written `capwright.yaml`: the host, and the source of the token, must be confirmed by
// settings that the user made elsewhere.
bool ChosenRemote::may_have_token(const gitea::Place& place, Sink& sink) {
  const char* pinned = std::getenv(kPinnedUrl);
  std::optional<std::string> known;
  if (pinned != nullptr && *pinned != '\0') known = pinned;
  else known = repository_.remote_url(settings_.remote, sink);
  if (!known) return false;
  if (const std::string why = gitea::why_another_host(place, *known); !why.empty()) {
    sink.report(diag::token_for_another_host, Span(), place.clone, why)
        .advise(
            fmt::format("set the environment variable `{}` to the URL of the API's host, if it is yours", kPinnedUrl));
    return false;
  }
  if (!gitea::is_encrypted_or_local(place)) {
    sink.report(diag::token_without_encryption, Span(), place.clone)
        .advise("use the `https` URL in `publish.gitea.url` or as the remote's");
    return false;
  }
  const publish::GiteaSettings& gitea = settings_.gitea;
  if (!gitea.token_file.empty()) {
    sink.report(diag::token_named_in_repository, Span(), "token_file", gitea.token_file)
        .advise("remove the key and use `--token-file FILE`");
    return false;
  }
  const bool is_plain = gitea.token_env == kTokenVariable || gitea.token_env.starts_with(kOwnVariables);
  if (is_plain || options_.token_env || options_.token_file) return true;
  sink.report(diag::token_named_in_repository, Span(), "token_env", gitea.token_env)
      .advise(fmt::format("use `--token-env {0}`, or a variable such as `{1}` or `{2}TOKEN`", gitea.token_env,
                          kTokenVariable, kOwnVariables));
  return false;
}

// Why there is no token; empty: there is one.
std::string ChosenRemote::read_token(std::string& text) const {
  if (options_.token_file) {
    const IoError error = open_.files.read(*options_.token_file, text, kLargestToken);
    return error ? fmt::format("`{}` can't be read: {}", *options_.token_file, describe(error)) : "";
  }
  const std::string where = options_.token_env.value_or(settings_.gitea.token_env);
  const char* value = std::getenv(where.c_str());
  if (value == nullptr) return fmt::format("the environment variable `{}` is not set", where);
  text = value;
  return {};
}

std::optional<std::string> ChosenRemote::token(const std::string& url, Sink& sink) {
  std::string text, why = read_token(text);
  const std::string where = options_.token_file.value_or(options_.token_env.value_or(settings_.gitea.token_env));
  while (text.ends_with('\n') || text.ends_with('\r') || text.ends_with(' ')) text.pop_back();
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  if (why.empty() && text.empty()) why = fmt::format("`{}` is empty", where);
  if (why.empty() && !std::all_of(text.begin(), text.end(), is_plain))
    why = fmt::format("`{}` contains spaces, line breaks or other characters that a token can't have", where);
  if (why.empty()) return text;
  sink.report(diag::token_missing, Span(), url, why);
  return std::nullopt;
}

}  // namespace capwright::workflow
