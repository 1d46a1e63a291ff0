// Callbacks of libgit2's remotes. libgit2 asks for credentials repeatedly while they are rejected: attempts are
// counted, and each kind is offered once.
#include "git/connection.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "source/real_system.h"

namespace capwright::git {
namespace {

constexpr std::size_t kMostWords = 16 * 1024;  // bytes of the remote's output
constexpr std::size_t kMostLines = 12;
constexpr std::uint32_t kLongestCredential = 60'000;  // for `git credential`

bool says(std::string_view part) { return last_words().find(part) != std::string_view::npos; }

// The value of `key=` in the output of `git credential fill`.
std::optional<std::string> value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(key) && line.substr(key.size()).starts_with('='))
      return std::string(line.substr(key.size() + 1));
  }
  return std::nullopt;
}

std::string network_reason() {
  if (says("resolve address")) return "its host name can't be resolved";
  if (says("Connection refused")) return "the connection was refused";
  if (says("timed out")) return "there was no answer in time";
  if (says("unreachable") || says("No route")) return "there is no route to it";
  return "the connection broke";
}

// Retries if libgit2 (1.5) fails to read references: for a local repository it lists them and then reads each one, and
// a reference or lock of another process may have disappeared in between. It often gives no message then.
int connect(git_remote* remote, git_direction direction, const git_remote_connect_options& options) {
  constexpr int kMostTries = 10;
  int answer = GIT_ERROR;
  for (int tries = 0; tries < kMostTries && answer == GIT_ERROR; ++tries) {
    git_error_clear();
    answer = git_remote_connect_ext(remote, direction, &options);
    const git_error* said = git_error_last();
    if (said != nullptr && said->klass != GIT_ERROR_NONE && said->klass != GIT_ERROR_REFERENCE) break;
  }
  return answer;
}

// For TLS, libgit2 reads neither Git's setting nor files of other distributions than its own.
void trust_authorities(git_remote* remote) {
  ConfigHandle config;
  Buffer path;
  std::string file;
  if (receive(config, [&](auto out) { return git_repository_config_snapshot(out, git_remote_owner(remote)); }) == 0 &&
      git_config_get_path(&path, config.get(), "http.sslCAInfo") == 0)
    file = path.text();
  if (file.empty()) file = authorities_file();
  if (!file.empty()) git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, file.c_str(), nullptr);
}

}  // namespace

Connection::Connection(git_remote* remote, std::string folder, const RemoteAccess& access)
    : remote_(remote), folder_(std::move(folder)), access_(access) {
  const char* url = git_remote_url(remote);
  shown_ = shown_url(url == nullptr ? "" : url);
}

Connection::~Connection() { git_remote_disconnect(remote_); }

git_remote_callbacks Connection::callbacks() {
  git_remote_callbacks callbacks = GIT_REMOTE_CALLBACKS_INIT;
  callbacks.credentials = ask;
  callbacks.sideband_progress = hear;
  callbacks.push_update_reference = note_status;
  callbacks.payload = this;
  return callbacks;
}

bool Connection::open(git_direction direction, Sink& sink) {
  git_remote_connect_options options = GIT_REMOTE_CONNECT_OPTIONS_INIT;
  options.callbacks = callbacks();
  options.proxy_opts.type = GIT_PROXY_AUTO;
  // A password for one host must not be sent to another.
  if (access_.login) options.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
  pushes_ = direction == GIT_DIRECTION_PUSH;
  for (const char* url : {git_remote_url(remote_), git_remote_pushurl(remote_)}) {
    if (url != nullptr && std::string_view(url).starts_with("http")) trust_authorities(remote_);
  }
  const int answer = connect(remote_, direction, options);
  if (answer != 0) {
    report(answer, sink);
    if (!asked_description_.empty()) ask_git("reject", asked_description_);
  } else if (!asked_description_.empty()) {
    ask_git("approve", asked_description_);
  }
  return answer == 0;
}

bool Connection::refs(RemoteRefs& refs, Sink& sink) {
  const git_remote_head** heads = nullptr;
  std::size_t count = 0;
  const int answer = git_remote_ls(&heads, &count, remote_);
  if (answer != 0) report(answer, sink);
  for (std::size_t i = 0; answer == 0 && i < count; ++i) refs[heads[i]->name] = from_oid(&heads[i]->oid);
  return answer == 0;
}

int Connection::upload(const std::string& refspec) {
  std::string text = refspec;
  char* texts[] = {text.data()};
  const git_strarray specs{texts, 1};
  git_push_options options = GIT_PUSH_OPTIONS_INIT;
  options.callbacks = callbacks();
  options.proxy_opts.type = GIT_PROXY_AUTO;
  return git_remote_upload(remote_, &specs, &options);
}

int Connection::fetch(const std::string& refspec) {
  std::string text = refspec;
  char* texts[] = {text.data()};
  const git_strarray specs{texts, 1};
  git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
  options.callbacks = callbacks();
  options.proxy_opts.type = GIT_PROXY_AUTO;
  options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  return git_remote_fetch(remote_, &specs, &options, nullptr);
}

int Connection::refuse(std::string why) {
  credential_fault_ = std::move(why);
  return GIT_EUSER;
}

int Connection::ask(git_credential** out, const char* url, const char* user, unsigned allowed, void* self) {
  Connection& connection = *static_cast<Connection*>(self);
  if ((allowed & GIT_CREDENTIAL_USERNAME) != 0) return git_credential_username_new(out, user == nullptr ? "git" : user);
  if ((allowed & GIT_CREDENTIAL_SSH_KEY) != 0) return connection.ssh_login(out, user);
  if ((allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT) != 0) return connection.password(out, url);
  return connection.refuse("it doesn't accept a user name and password");
}

int Connection::password(git_credential** out, const std::string& url) {
  const unsigned attempt = attempts_++;
  if (attempt == 0 && access_.login)
    return git_credential_userpass_plaintext_new(out, access_.login->user.c_str(), access_.login->password.c_str());
  if (attempt > 0) return refuse("the host refused the credentials");
  if (access_.programs == nullptr) return refuse("no credentials are configured");
  if (url.find('\n') != std::string::npos) return refuse("its URL contains a line break");
  const ProgramEnd end = ask_git("fill", "url=" + url + "\n\n");
  const std::optional<std::string> user = value_of(end.output, "username"), secret = value_of(end.output, "password");
  if (!end.succeeded() || !user || !secret) return refuse("`git credential fill` has no credentials for it");
  asked_description_ = end.output + "\n";
  return git_credential_userpass_plaintext_new(out, user->c_str(), secret->c_str());
}

int Connection::ssh_login(git_credential** out, const char* user) {
  const char* name = user == nullptr ? "git" : user;
  unsigned attempt = attempts_++;
  if (!access_.ssh_key.empty()) {
    if (attempt == 0) return git_credential_ssh_key_new(out, name, nullptr, access_.ssh_key.c_str(), "");
    --attempt;
  }
  if (attempt == 0) return git_credential_ssh_key_from_agent(out, name);
  return refuse("the host accepted none of the keys");
}

ProgramEnd Connection::ask_git(const char* verb, const std::string& description) const {
  ProgramRun run;
  run.program = "env";
  run.arguments = {"GIT_TERMINAL_PROMPT=0", "git", "credential", verb};
  run.folder = folder_;
  run.unset = {"GIT_ASKPASS", "SSH_ASKPASS"};
  run.input = description;
  run.most_output = 64 * 1024;
  run.most_milliseconds = kLongestCredential;
  return access_.programs->run(run);
}

int Connection::hear(const char* text, int length, void* self) {
  std::string& words = static_cast<Connection*>(self)->words_;
  const std::size_t room = kMostWords - std::min(kMostWords, words.size());
  words.append(text, std::min(room, static_cast<std::size_t>(std::max(0, length))));
  return 0;
}

int Connection::note_status(const char*, const char* status, void* self) {
  if (status != nullptr) static_cast<Connection*>(self)->refusal_ = *status == '\0' ? "no reason given" : status;
  return 0;
}

std::vector<std::string> Connection::remote_words() const {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : words_ + "\n") {
    if (c == '\n' || c == '\r') {
      if (!line.empty() && lines.size() < kMostLines) lines.push_back(line);
      line.clear();
    } else if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) {
      line.push_back(c);
    }
  }
  return lines;
}

void Connection::report(int answer, Sink& sink) const {
  const git_error* error = git_error_last();
  // libgit2 treats a nonexistent path as a URL.
  const bool no_path = says("unsupported URL protocol") && shown_.find(':') == std::string::npos;
  const bool http = error != nullptr && error->klass == GIT_ERROR_HTTP;
  if (!credential_fault_.empty() || answer == GIT_EAUTH || says("status code: 401") || says("replays")) {
    sink.report(diag::remote_refuses_credentials, Span(), shown_,
                credential_fault_.empty() ? "the host refused the credentials" : credential_fault_)
        .advise(fmt::format("run `git ls-remote {}`: Git asks for credentials and stores them", shown_));
  } else if (says("status code: 403")) {
    sink.report(diag::remote_refuses_credentials, Span(), shown_, "this user doesn't have permission");
  } else if (answer == GIT_ECERTIFICATE) {
    const bool ssh = error != nullptr && error->klass == GIT_ERROR_SSH;
    sink.report(diag::unknown_host_key, Span(), shown_,
                ssh ? "`known_hosts` doesn't have its key" : "its certificate is not trusted");
  } else if (no_path || says("status code: 404") || says("could not find repository") ||
             says("failed to resolve path") || says("not appear to be a git repository")) {
    sink.report(diag::remote_repository_missing, Span(), shown_).advise("`git remote -v` shows the URLs");
  } else if (says("unsupported URL protocol") || says("malformed URL") || answer == GIT_EINVALIDSPEC) {
    sink.report(diag::url_not_understood, Span(), shown_);
  } else if (error != nullptr && (error->klass == GIT_ERROR_NET || error->klass == GIT_ERROR_OS) && !http) {
    sink.report(diag::remote_unreachable, Span(), shown_, network_reason())
        .advise(fmt::format("test the connection with `git ls-remote {}`", shown_));
  } else if (git_repository_is_shallow(git_remote_owner(remote_)) == 1 && !(http && says("status code: "))) {
    sink.report(diag::clone_is_shallow, Span(), fmt::format("a {} `{}`", pushes_ ? "push to" : "fetch from", shown_))
        .note(answer == GIT_ENOTFOUND ? "Git needs them to find out what to send" : reason(answer))
        .advise("run `git fetch --unshallow`; in CI, set `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab)");
  } else {
    const std::string why = http && says("status code: ")
                                ? fmt::format("it answers {}", last_words().substr(last_words().rfind(' ') + 1))
                                : fmt::format("libgit2 answers {}", answer);
    sink.report(diag::transfer_failed, Span(), shown_, why)
        .advise(fmt::format("test the connection with `git ls-remote {}`", shown_));
  }
}

}  // namespace capwright::git
