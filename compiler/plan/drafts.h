// Effects on one target after the other, until all are known and become actions.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

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
    diff::ShownMaker maker;  // of Create and Delete
  };

  Draft& of(Target target);
  static void add(Draft& draft, Verb verb, Reason reason);

  // Of all targets; what is rolled in the course of an upgrade is part of it.
  std::vector<Action> actions();

 private:
  static void finish(Draft& draft, std::vector<Action>& actions);

  std::map<std::tuple<Target::Kind, std::string, std::string, std::string>, std::size_t> numbers_;
  std::deque<Draft> drafts_;
};

}  // namespace capwright::plan
