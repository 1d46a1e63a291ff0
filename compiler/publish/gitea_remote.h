// A remote that is written through Gitea's API, and read through Git with the same token.
#pragma once
#include "gitea/api.h"
#include "publish/remote.h"

namespace capwright::publish {

class GiteaRemote final : public Remote {
 public:
  // Both arguments must outlive it.
  GiteaRemote(git::Repository& repository, gitea::Api& api);

  std::vector<std::string> remarks() override;
  bool takes_commits() const override { return false; }
  bool find(const std::string& branch, std::optional<git::ObjectId>& tip, Sink& sink) override;
  bool find_branches(std::map<std::string, git::ObjectId>& tips, Sink& sink) override;
  std::optional<git::ObjectId> fetch(const std::string& branch, const std::string& into, Sink& sink) override;
  SendResult send(const Delivery& delivery, git::ObjectId& arrived, Sink& sink) override;
  bool find_lock(const std::string& branch, std::optional<git::ObjectId>& lock, Sink& sink) override;
  std::optional<std::string> lock_text(const std::string& branch, const git::ObjectId& lock, Sink& sink) override;
  git::PushResult swap_lock(const LockSwap& swap, git::ObjectId& after, Sink& sink) override;

 private:
  // A commit of this repository, and its contents.
  struct Draft {
    git::ObjectId commit, parent, tree;
    git::CommitFacts facts;
  };
  std::optional<Draft> read_draft(const Delivery& delivery, Sink& sink);
  std::optional<git::ObjectId> tree_of(const git::ObjectId& commit, Sink& sink);
  bool add_files(const Draft& draft, gitea::ChangeRequest& request, Sink& sink);
  SendResult settle(const Delivery& delivery, const Draft& draft, gitea::Outcome outcome, git::ObjectId& arrived);
  git::PushResult settle_lock(const LockSwap& swap, gitea::Outcome outcome, git::ObjectId& after, Sink& sink);
  git::PushResult delete_lock(const LockSwap& swap, Sink& sink);

  git::Repository& repository_;
  gitea::Api& api_;
  const git::RemoteAccess access_;  // for reading through Git
  // The last result of find_lock(): whether the lock's branch exists, and its text.
  bool has_lock_branch_ = false;
  std::optional<std::string> lock_text_;
};

}  // namespace capwright::publish
