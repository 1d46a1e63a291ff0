// Initialization and shutdown of libgit2, and its error codes.
#include "git/libgit2.h"

#include <cstring>
#include <fmt/format.h>

#ifdef __SANITIZE_ADDRESS__
// libgit2 1.5 never frees PCRE2's match data, one for each pattern that it looks up in a configuration.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpcre2-8.so\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace capwright::git {

Library::Library() { git_libgit2_init(); }
Library::~Library() { git_libgit2_shutdown(); }

git_oid as_oid(const ObjectId& id) {
  git_oid oid;
  static_assert(sizeof oid.id == sizeof id.bytes);
  std::memcpy(oid.id, id.bytes.data(), sizeof oid.id);
  return oid;
}

ObjectId from_oid(const git_oid* oid) {
  ObjectId id;
  std::memcpy(id.bytes.data(), oid->id, sizeof oid->id);
  return id;
}

std::string_view last_words() {
  const git_error* error = git_error_last();
  return error == nullptr || error->message == nullptr ? "" : error->message;
}

std::string reason(int answer) {
  const std::string_view words = last_words();
  const auto says = [&](std::string_view part) { return words.find(part) != std::string_view::npos; };
  if (says("No space left")) return "the disk is full";
  if (says("Disk quota")) return "the user's quota is exceeded";
  if (says("Permission denied")) return "permission denied";
  if (says("Read-only file system")) return "the file system is read-only";
  if (says("Too many open files")) return "too many files are open";
  switch (answer) {
    case GIT_ENOTFOUND: return "it does not exist";
    case GIT_EMISMATCH: return "its content doesn't match its hash: it is damaged";
    default: break;
  }
  if (says("corrupt") || says("inflat") || says("zlib") || says("failed to parse")) return "it is damaged";
  return fmt::format("libgit2 answers {}", answer);
}

}  // namespace capwright::git
