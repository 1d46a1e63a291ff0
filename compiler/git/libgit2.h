// libgit2's objects as owned values, and conversion of its errors. Included only in this folder.
#pragma once
#include <git2.h>
#include <memory>
#include <string>
#include <string_view>

#include "git/object_id.h"

namespace capwright::git {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
template <class T, auto Free>
using Handle = std::unique_ptr<T, Deleter<Free>>;

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

// Calls `call` with a place for the new object; returns libgit2's code.
template <class H, class Call>
int receive(H& handle, Call call) {
  typename H::pointer made = nullptr;
  const int answer = call(&made);
  handle.reset(made);
  return answer;
}

// libgit2 may be called during its lifetime.
struct Library {
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

git_oid as_oid(const ObjectId&);
ObjectId from_oid(const git_oid*);

// libgit2's message for the last failed call on this thread, to distinguish errors. It often belongs to an earlier,
// harmless error, so it is not shown if the error code suffices.
std::string_view last_words();
// Why objects can't be read or written, for calls with only a few possible causes.
std::string reason(int answer);

}  // namespace capwright::git
