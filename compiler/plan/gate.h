// Limits that the caller sets on a plan: what must not happen.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diff/packed.h"
#include "plan/plan.h"

namespace capwright::plan {

class Gate {
 public:
  // `delete`, `roll` (machines are replaced, including by an upgrade), or any other verb; each also for one kind of
  // target (`roll-control-plane`, `delete-pool`); or `any`. Returns false for other words.
  bool forbid(std::string_view what);
  // The maximum number of replaced machines: `20`, or `5%` of all. Returns false for other texts.
  bool limit(std::string_view most);
  // Clusters that may be deleted: names or globs.
  void allow_delete(std::vector<std::string> clusters) { deletable_ = std::move(clusters); }

  bool may_delete(std::string_view cluster) const;
  // One line per violated limit, such as "`--fail-on roll-pool`: 1 action in 1 cluster: edge-1 (pool edge-1-gpu)".
  // `machines`: of all clusters. Machines that an autoscaler may replace count, and an unknown number exceeds every
  // limit.
  std::vector<std::string> broken_by(const diff::Records<ClusterPlan>& plans, const MachineCount& machines) const;
  // The line for clusters that can't be compared, because the effect on them is unknown. Empty if no limit is set.
  std::optional<std::string> broken_by_unknown(std::span<const std::string> clusters) const;

  // Words that `forbid` accepts, for messages.
  static std::vector<std::string> words();

 private:
  struct Forbidden {
    std::string word;
    std::optional<Verb> verb;  // empty: any
    std::optional<Target::Kind> target;
    bool matches(const Action& action) const;
  };
  struct Most {
    std::string word;
    double number = 0;
    bool is_percent = false;
  };
  bool forbids(const Forbidden& forbidden, const ClusterPlan& plan, const Action& action) const;
  std::optional<std::string> forbidden_by(const Forbidden& forbidden, const diff::Records<ClusterPlan>& plans) const;
  std::optional<std::string> too_many(const diff::Records<ClusterPlan>& plans, const MachineCount& machines) const;

  std::vector<Forbidden> forbidden_;
  std::vector<std::string> deletable_;
  std::optional<Most> most_;
};

}  // namespace capwright::plan
