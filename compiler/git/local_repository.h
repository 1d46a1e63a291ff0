// Repository with libgit2. Included only in this folder; each .cc file next to it implements one task.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/libgit2.h"
#include "git/repository.h"
#include "git/tree_store.h"

namespace capwright::git {

class Connection;

class LocalRepository final : public Repository {
 public:
  LocalRepository(std::unique_ptr<Library> library, RepositoryHandle repository, OdbHandle odb);

  const std::string& root() const override { return root_; }
  const std::string& private_folder() const override { return private_folder_; }
  const std::string& shared_folder() const override { return shared_folder_; }
  std::optional<std::string> path_below_root(std::string_view absolute) const override;

  std::optional<Head> head(Sink&) override;
  std::optional<ObjectId> commit(std::string_view revision, Sink&) override;
  std::optional<CommitFacts> facts(const ObjectId& commit, Sink&) override;
  bool is_ancestor(const ObjectId& ancestor, const ObjectId& commit) override;
  std::vector<ObjectId> merge_bases(const ObjectId& one, const ObjectId& other) override;
  std::optional<ObjectId> merge_base(const std::string& revision, Sink&) override;
  bool is_shallow() override { return git_repository_is_shallow(repository_.get()) == 1; }
  bool is_partial() override;
  std::optional<Identity> identity(Sink&) override;
  std::optional<std::string> setting(const std::string& key) override;
  std::optional<std::string> path_setting(const std::string& key) override;
  std::optional<std::string> remote_url(const std::string& remote, Sink&) override;

  std::unique_ptr<CommitFiles> files(const ObjectId& commit, std::string_view folder, Sink&) override;
  ObjectId blob_id(std::string_view bytes) const override;
  std::vector<std::string> merged_texts(const ThreeTexts&, Favored favored) const override;

  std::optional<std::vector<PathChange>> changes(const ObjectId& before, const ObjectId& after, Sink&) override;
  std::optional<std::vector<PathChange>> changes_on_disk(const ObjectId& before, Sink&) override;

  std::optional<ObjectId> make_commit(const CommitRequest&, Sink&) override;
  std::optional<ObjectId> ref_target(const std::string& ref) override;
  bool move_ref(const RefMove&, Sink&) override;

  std::optional<RemoteRefs> remote_refs(const std::string& remote, const RemoteAccess&, Sink&) override;
  std::vector<std::string> skipped_hooks(const std::string& remote) override;
  PushResult push(const PushRequest&, const RemoteAccess&, Sink&) override;
  std::optional<ObjectId> fetch(const FetchRequest&, const RemoteAccess&, Sink&) override;

 private:
  // The name of the repository in messages.
  const std::string& shown() const { return root_.empty() ? shared_folder_ : root_; }
  bool is_among_readable(const ObjectId& ancestor, const ObjectId& commit);
  bool tree_of(const ObjectId& commit, ObjectId& tree, Sink&);
  TreeHandle tree_object(const ObjectId& commit, Sink&);
  std::optional<ObjectId> write_commit(const CommitRequest&, const ObjectId& tree, Sink&);
  bool clear_own_lock(const std::string& ref) const;
  void anchor_paths(git_remote* remote) const;
  RemoteHandle find_remote(const std::string& remote, Sink&);
  PushResult push_to_folder(const PushRequest&, const std::string& folder, const std::string& pushed, Connection&,
                            Sink&);
  PushResult refused(const PushRequest&, const RemoteAccess&, const Connection&, Sink&);
  void note_pushed(git_remote* remote, const PushRequest&);
  void report_unknown(const std::string& revision, Sink&);
  std::vector<std::string> revision_names() const;

  std::unique_ptr<Library> library_;  // before all handles, so that it is destroyed last
  RepositoryHandle repository_;
  TreeStore store_;
  std::string root_, private_folder_, shared_folder_;
};

}  // namespace capwright::git
