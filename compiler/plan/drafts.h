// Collects effects per target until all are known, then turns them into actions.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "plan/holds.h"
#include "plan/machine_sets.h"
#include "plan/plan.h"

namespace capwright::plan {

class Drafts {
 public:
  struct Draft {
    Target target;
    std::string by;                                        // the controller or tool that acts on it
    const MachineSet *before = nullptr, *after = nullptr;  // of control planes and pools
    std::map<Verb, std::vector<Reason>> reasons;
    std::string from, to;    // of Sync
    diff::ShownMaker maker;  // of Create, Delete and Orphan
    std::optional<Hold> hold;
    std::string beside;  // what happens to another object in the same change; empty: nothing to say
    // Which machines a Roll replaces. `all` is for every Roll that isn't limited to some of them.
    bool rolls_all = false, rolls_joined = false, rolls_first = false;
    // The first machine counts as a joined one: settings that only `kubeadm init` reads replace nothing.
    bool first_joined_alike = false;
    // It is no longer paused: changes that were held back take effect now, if there are any.
    bool resumes = false;
    // Of a Cluster: the machines that are created or deleted with it and have no actions of their own.
    MachineCount besides;
    std::vector<std::string> commands;  // of Orphan
    std::vector<std::string> first;     // of Delete and Orphan
    std::optional<Target> successor;    // of Delete and Orphan
  };

  Draft& of(Target target);
  Draft* find(const Target& target);  // null: nothing happens to it
  static void add(Draft& draft, Verb verb, Reason reason);

  // For all targets; a roll in the course of an upgrade is part of the upgrade.
  std::vector<Action> actions();

 private:
  static void finish(Draft& draft, std::vector<Action>& actions);
  static void count(Draft& draft, Action& action);

  std::map<std::tuple<Target::Kind, std::string, std::string, std::string>, std::size_t> numbers_;
  std::deque<Draft> drafts_;
};

}  // namespace capwright::plan
