// Effects on one target after the other, until all are known and become actions.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "plan/holds.h"
#include "plan/machines.h"
#include "plan/plan.h"

namespace capwright::plan {

class Drafts {
 public:
  struct Draft {
    Target target;
    std::string by;                                        // who acts on it
    const MachineSet *before = nullptr, *after = nullptr;  // of control planes and pools
    std::map<Verb, std::vector<Reason>> reasons;
    std::string from, to;    // of Sync
    diff::ShownMaker maker;  // of Create, Delete and Orphan
    std::optional<Hold> hold;
    // Which machines a Roll is about. `all` is for every Roll that isn't about some only.
    bool rolls_all = false, rolls_joined = false, rolls_first = false;
    // The first machine counts as one that joined: what `kubeadm init` alone reads replaces nothing.
    bool first_joined_alike = false;
    // It isn't paused any more: what was held back comes now, which may be nothing.
    bool resumes = false;
    // Of a Cluster, the machines that come or go with it and have no actions of their own.
    MachineCount besides;
    std::vector<std::string> commands;  // of Orphan
  };

  Draft& of(Target target);
  static void add(Draft& draft, Verb verb, Reason reason);

  // Of all targets; what is rolled in the course of an upgrade is part of it.
  std::vector<Action> actions();

 private:
  static void finish(Draft& draft, std::vector<Action>& actions);
  static void count(Draft& draft, Action& action);

  std::map<std::tuple<Target::Kind, std::string, std::string, std::string>, std::size_t> numbers_;
  std::deque<Draft> drafts_;
};

}  // namespace capwright::plan
