// A remote that is reached by Git's own protocols.
#pragma once
#include "publish/remote.h"

namespace capwright::publish {

class GitRemote final : public Remote {
 public:
  // `name` is the remote's name in this clone. With `hooks`, the program `git` pushes and runs the user's pre-push
  // hook. Without `takes_commits`, it is only read, and a host's API writes. References and pointers must outlive it.
  GitRemote(git::Repository& repository, git::RemoteAccess access, std::string name, Programs* hooks = nullptr,
            bool takes_commits = true)
      : repository_(repository),
        access_(std::move(access)),
        name_(std::move(name)),
        hooks_(hooks),
        takes_commits_(takes_commits) {}

  std::vector<std::string> remarks() override;
  bool takes_commits() const override { return takes_commits_; }
  bool find(const std::string& branch, std::optional<git::ObjectId>& tip, Sink& sink) override;
  bool find_branches(std::map<std::string, git::ObjectId>& tips, Sink& sink) override;
  std::optional<git::ObjectId> fetch(const std::string& branch, const std::string& into, Sink& sink) override;
  SendResult send(const Delivery& delivery, git::ObjectId& arrived, Sink& sink) override;
  bool find_lock(const std::string& branch, std::optional<git::ObjectId>& lock, Sink& sink) override;
  std::optional<std::string> lock_text(const std::string& branch, const git::ObjectId& lock, Sink& sink) override;
  git::PushResult swap_lock(const LockSwap& swap, git::ObjectId& after, Sink& sink) override;

 private:
  bool find_ref(const std::string& ref, std::optional<git::ObjectId>& target, Sink& sink);
  SendResult send_by_git(const git::PushRequest& request, Sink& sink);

  git::Repository& repository_;
  const git::RemoteAccess access_;
  const std::string name_;
  Programs* hooks_;
  const bool takes_commits_;
};

}  // namespace capwright::publish
