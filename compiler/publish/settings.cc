// `publish:` of a document that the schema has accepted.
#include "publish/settings.h"

namespace capwright::publish {
namespace {

void take(const Value& map, std::string_view key, std::string& text) {
  const Value* value = map.find(key);
  if (value != nullptr && value->is(Kind::String)) text = value->text();
}

// The schema accepts `60.0` as an integer.
void take(const Value& map, std::string_view key, std::int64_t& number) {
  const Value* value = map.find(key);
  if (value != nullptr)
    number = value->is(Kind::Float) ? static_cast<std::int64_t>(value->as_float()) : value->as_int();
}

PullRequest pull_request_of(std::string_view word) {
  if (word == "always") return PullRequest::Always;
  if (word == "never") return PullRequest::Never;
  return PullRequest::Auto;
}

GiteaSettings gitea_of(const Value& section) {
  GiteaSettings gitea;
  take(section, "url", gitea.url);
  take(section, "token_env", gitea.token_env);
  take(section, "token_file", gitea.token_file);
  take(section, "timeout", gitea.most_seconds);
  return gitea;
}

}  // namespace

Settings read_settings(const Value& document) {
  Settings settings;
  const Value* section = document.is(Kind::Map) ? document.find("publish") : nullptr;
  if (section == nullptr || !section->is(Kind::Map)) return settings;
  take(*section, "remote", settings.remote);
  take(*section, "url", settings.url);
  take(*section, "branch", settings.branch);
  take(*section, "pull_request_branch", settings.pull_request_branch);
  if (const Value* word = section->find("via"))
    settings.via = word->text() == "gitea" ? Transport::Gitea : Transport::Git;
  if (const Value* gitea = section->find("gitea"); gitea != nullptr && gitea->is(Kind::Map))
    settings.gitea = gitea_of(*gitea);
  if (const Value* allowed = section->find("unattended")) settings.unattended = allowed->as_bool();
  if (const Value* word = section->find("pull_request")) settings.pull_request = pull_request_of(word->text());
  if (const Value* lock = section->find("lock"); lock != nullptr && lock->is(Kind::Map)) {
    take(*lock, "ttl", settings.lock_seconds);
    take(*lock, "wait", settings.wait_seconds);
    if (const Value* remote = lock->find("remote")) settings.remote_lock = remote->as_bool();
  }
  return settings;
}

}  // namespace capwright::publish
