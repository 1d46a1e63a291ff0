// libgit2's objects as owned values, and its answers as ours. Included by this folder alone.
#pragma once
#include <git2.h>
#include <memory>
#include <string>
#include <string_view>

#include "git/object_id.h"

namespace capwright::git {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
template <class T, auto Free>
using Handle = std::unique_ptr<T, Freed<Free>>;

using RepositoryHandle = Handle<git_repository, git_repository_free>;
using OdbHandle = Handle<git_odb, git_odb_free>;
using OdbObjectHandle = Handle<git_odb_object, git_odb_object_free>;
using ObjectHandle = Handle<git_object, git_object_free>;
using CommitHandle = Handle<git_commit, git_commit_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using ReferenceIteratorHandle = Handle<git_reference_iterator, git_reference_iterator_free>;
using ConfigHandle = Handle<git_config, git_config_free>;
using DiffHandle = Handle<git_diff, git_diff_free>;
using RemoteHandle = Handle<git_remote, git_remote_free>;
using SignatureHandle = Handle<git_signature, git_signature_free>;

// A buffer that libgit2 fills.
struct Buffer : git_buf {
  Buffer() : git_buf{nullptr, 0, 0} {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { git_buf_dispose(this); }
  std::string_view text() const { return {ptr, size}; }
};

// Calls `call` with a place for what it makes; its answer.
template <class H, class Call>
int receive(H& handle, Call call) {
  typename H::pointer made = nullptr;
  const int answer = call(&made);
  handle.reset(made);
  return answer;
}

// While one lives, libgit2 may be called.
struct Library {
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

git_oid as_oid(const ObjectId&);
ObjectId from_oid(const git_oid*);

// What libgit2 says of the call that failed last on this thread: for telling faults apart. It is often the words of an
// earlier, harmless fault, so it is never shown where the answer's number says enough.
std::string_view last_words();
// Why objects can't be read or written, in our words, for the calls that meet only a few causes.
std::string reason(int answer);

}  // namespace capwright::git
