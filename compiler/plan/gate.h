// What must not happen, by the words of who asks for a plan.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace capwright::plan {

class Gate {
 public:
  // `delete`, `roll` (machines are replaced, also by an upgrade), any other verb, each also of a target alone
  // (`roll-control-plane`, `delete-pool`), or `any`. False when it is none of these.
  bool forbid(std::string_view what);
  // At most so many machines are replaced: `20`, or `5%` of all. False when it is neither.
  bool limit(std::string_view most);
  // Clusters that may go: names, globs.
  void allow_delete(std::vector<std::string> clusters) { deletable_ = std::move(clusters); }

  bool may_delete(std::string_view cluster) const;
  // A line for each word that doesn't hold, such as "`--fail-on roll-pool`: 1 action in 1 cluster: edge-1 (pool
  // edge-1-gpu)". `machines`: those of all clusters. What an autoscaler may replace counts, and what nobody counts is
  // too much.
  std::vector<std::string> broken_by(std::span<const ClusterPlan> plans, const MachineCount& machines) const;
  // The line for clusters that can't be compared: nobody knows what happens to them. Nothing if all is allowed anyway.
  std::optional<std::string> broken_by_unknown(std::span<const std::string> clusters) const;

  // Words that `forbid` takes, for messages.
  static std::vector<std::string> words();

 private:
  struct Forbidden {
    std::string word;
    std::optional<Verb> verb;  // nothing: any
    std::optional<Target::Kind> target;
    bool matches(const Action& action) const;
  };
  struct Most {
    std::string word;
    double number = 0;
    bool is_percent = false;
  };
  bool forbids(const Forbidden& forbidden, const ClusterPlan& plan, const Action& action) const;
  std::optional<std::string> forbidden_by(const Forbidden& forbidden, std::span<const ClusterPlan> plans) const;
  std::optional<std::string> too_many(std::span<const ClusterPlan> plans, const MachineCount& machines) const;

  std::vector<Forbidden> forbidden_;
  std::vector<std::string> deletable_;
  std::optional<Most> most_;
};

}  // namespace capwright::plan
