// The fleet for `publish`: a commit, rendered in memory onto the tree of another one.
#pragma once
#include <memory>
#include <optional>

#include "cli/console.h"
#include "cli/open_project.h"
#include "git/repository.h"
#include "plan/gate.h"
#include "publish/world.h"

namespace capwright::cli {

struct PublishLook {
  OpenProject& open;  // of the working tree: its options apply to the commits, too
  git::Repository& repository;
  Console& console;
  const plan::Gate& gate;
  bool force = false;  // replace files of the branch that no render wrote
  bool prune = false;  // delete folders of clusters without values
  unsigned jobs = 0;
};

class CommittedFleet final : public publish::Fleet {
 public:
  explicit CommittedFleet(const PublishLook& look) : look_(look) {}
  std::unique_ptr<publish::Rendering> render(const publish::Commits& commits, publish::Verdict& verdict) override;

 private:
  const PublishLook look_;
};

}  // namespace capwright::cli
