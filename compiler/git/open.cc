// Finds and opens a repository, and reads its configuration.
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "diag/suggest.h"
#include "git/commit_files.h"
#include "git/local_repository.h"
#include "git/pack_writer.h"

namespace capwright::git {
namespace {

std::string without_slash(const char* folder) {
  std::string text = folder == nullptr ? "" : folder;
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// Why an existing repository can't be opened.
std::string opening_reason(int answer) {
  const std::string_view words = last_words();
  const auto says = [&](std::string_view part) { return words.find(part) != std::string_view::npos; };
  if (says("unsupported extension") || says("unsupported repository version"))
    return fmt::format("its format is newer than libgit2 {}", LIBGIT2_VERSION);
  if (git_error_last() != nullptr && git_error_last()->klass == GIT_ERROR_CONFIG) return "its configuration is damaged";
  return reason(answer);
}

constexpr std::string_view kTrust = "safe.directory";

// libgit2 1.5 searches the configuration for an exception, and fails with that error if there is no configuration at
// all.
bool is_of_another_user(int answer) {
  return answer == GIT_EOWNER || (answer == GIT_ENOTFOUND && last_words().find(kTrust) != std::string_view::npos);
}

// The directory of the repository, without opening it.
std::string folder_with_repository(const std::string& path) {
  git_buf found = GIT_BUF_INIT;
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  const int answer = git_repository_discover(&found, path.c_str(), 0, nullptr);
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
  std::string folder = answer == 0 ? without_slash(found.ptr) : path;
  git_buf_dispose(&found);
  if (folder.ends_with("/.git")) folder.resize(folder.size() - 5);
  return folder;
}

// For an error about a directory's owner only libgit2 knows the directory: it is the last quoted word of the message.
std::string owned_folder(const std::string& path) {
  const std::string_view words = last_words();
  if (words.find(kTrust) != std::string_view::npos) return folder_with_repository(path);
  const std::size_t from = words.find('\''), to = words.rfind('\'');
  if (from == std::string_view::npos || to <= from + 1) return path;
  return without_slash(std::string(words.substr(from + 1, to - from - 1)).c_str());
}

void report_opening(int answer, const std::string& path, Sink& sink) {
  if (is_of_another_user(answer)) {
    const std::string folder = owned_folder(path);
    sink.report(diag::repository_of_another_user, Span(), folder)
        .advise(fmt::format("if you trust it: `git config --global --add {} {}`", kTrust, folder));
  } else if (answer == GIT_ENOTFOUND) {
    sink.report(diag::no_git_repository, Span(), path).advise("run the command in a folder of the repository");
  } else {
    sink.report(diag::unreadable_repository, Span(), path, opening_reason(answer)).advise("run `git fsck` for details");
  }
}

std::optional<std::string> config_text(git_repository* repository, const char* key) {
  ConfigHandle config;
  if (receive(config, [&](auto out) { return git_repository_config_snapshot(out, repository); }) != 0) return {};
  const char* text = nullptr;
  if (git_config_get_string(&text, config.get(), key) != 0) return std::nullopt;
  return std::string(text);
}

}  // namespace

std::unique_ptr<Repository> open_repository(const std::string& path, Sink& sink) {
  auto library = std::make_unique<Library>();
  RepositoryHandle repository;
  int answer = receive(repository, [&](auto out) { return git_repository_open_ext(out, path.c_str(), 0, nullptr); });
  OdbHandle odb;
  if (answer == 0) answer = receive(odb, [&](auto out) { return git_repository_odb(out, repository.get()); });
  if (answer != 0) {
    report_opening(answer, path, sink);
    repository.reset();
    return nullptr;
  }
  return std::make_unique<LocalRepository>(std::move(library), std::move(repository), std::move(odb));
}

LocalRepository::LocalRepository(std::unique_ptr<Library> library, RepositoryHandle repository, OdbHandle odb)
    : library_(std::move(library)),
      repository_(std::move(repository)),
      store_(std::move(odb)),
      root_(without_slash(git_repository_workdir(repository_.get()))),
      private_folder_(without_slash(git_repository_path(repository_.get()))),
      shared_folder_(without_slash(git_repository_commondir(repository_.get()))) {}

std::optional<std::string> LocalRepository::path_below_root(std::string_view absolute) const {
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.remove_suffix(1);
  if (root_.empty() || !absolute.starts_with(root_)) return std::nullopt;
  absolute.remove_prefix(root_.size());
  if (absolute.empty()) return "";
  if (!absolute.starts_with('/')) return root_ == "/" ? std::optional<std::string>(absolute) : std::nullopt;
  return std::string(absolute.substr(1));
}

std::optional<Identity> LocalRepository::identity(Sink& sink) {
  const std::optional<std::string> name = config_text(repository_.get(), "user.name");
  const std::optional<std::string> email = config_text(repository_.get(), "user.email");
  if (name && email && !name->empty() && !email->empty()) return Identity{*name, *email};
  const std::string_view missing = !name || name->empty() ? "user.name" : "user.email";
  sink.report(diag::git_identity_missing, Span(), missing)
      .advise(fmt::format(
          "set it with `git config {0} …`, or for all repositories of this user with `git config --global {0} …`",
          missing));
  return std::nullopt;
}

std::optional<std::string> LocalRepository::setting(const std::string& key) {
  return config_text(repository_.get(), key.c_str());
}

std::optional<std::string> LocalRepository::path_setting(const std::string& key) {
  ConfigHandle config;
  Buffer path;
  if (receive(config, [&](auto out) { return git_repository_config_snapshot(out, repository_.get()); }) != 0 ||
      git_config_get_path(&path, config.get(), key.c_str()) != 0)
    return std::nullopt;
  return std::string(path.text());
}

std::optional<std::string> LocalRepository::remote_url(const std::string& remote, Sink& sink) {
  RemoteHandle found;
  if (receive(found, [&](auto out) { return git_remote_lookup(out, repository_.get(), remote.c_str()); }) == 0 &&
      git_remote_url(found.get()) != nullptr)
    return std::string(git_remote_url(found.get()));
  git_strarray names{};
  std::vector<std::string_view> candidates;
  if (git_remote_list(&names, repository_.get()) == 0) candidates.assign(names.strings, names.strings + names.count);
  Diagnostic& fault = sink.report(diag::unknown_remote, Span(), remote);
  if (candidates.empty()) fault.advise("add one: `git remote add origin URL`");
  else fault.advise(fmt::format("known remotes: {}", list_names(candidates)));
  git_strarray_dispose(&names);
  return std::nullopt;
}

std::unique_ptr<CommitFiles> LocalRepository::files(const ObjectId& commit, std::string_view folder, Sink& sink) {
  ObjectId tree;
  if (!tree_of(commit, tree, sink)) return nullptr;
  return std::make_unique<StoredFiles>(store_, tree, root_, folder);
}

ObjectId LocalRepository::blob_id(std::string_view bytes) const { return object_id(ObjectKind::Blob, bytes); }

}  // namespace capwright::git
