// What happens to an object that leaves the tree: whether the tool that applies the tree deletes it, and how to finish
// by hand where it doesn't.
#pragma once
#include <string>
#include <string_view>

#include "diff/change.h"
#include "pipeline/config.h"
#include "plan/effects.h"
#include "plan/machine_sets.h"

namespace capwright::plan {

// Cloud resources that the workload cluster's controllers created outlive the cluster, unless they are deleted before.
inline constexpr std::string_view kCloudFirst =
    "first delete its Services of type `LoadBalancer` and its PersistentVolumeClaims, or their cloud resources stay";

struct Fate {
  bool goes = false;
  bool is_kept_on_purpose = false;  // an option of the object says so
  std::string note;                 // may be empty
};

class Removal {
 public:
  // The files of `before` with owners of machines have been read. `after` is null when the cluster is gone.
  Removal(const diff::ClusterDiff& diff, const diff::Side& before, const diff::Side* after, Delivery delivery)
      : diff_(diff), before_(before), after_(after), delivery_(effects_of(delivery_name(delivery))) {}

  Fate fate_of(const diff::Object& object) const;
  // Whether a cluster goes when its whole folder does, and why it stays if it doesn't.
  bool deletes_folders() const { return delivery_.deletes && delivery_.why_folder_kept.empty(); }
  std::string_view why_folders_stay() const {
    return delivery_.deletes ? delivery_.why_folder_kept : delivery_.why_kept;
  }
  bool is_removed(const diff::Object& object) const;
  const DeliveryEffects& delivery() const { return delivery_; }

 private:
  // A kind that owns the object, once it is applied; empty: nothing does.
  std::string_view owner_kind(const diff::Object& object) const;
  const diff::Object* owner_of(const diff::Object& object, std::string_view kind) const;
  bool has_tombstone(const diff::Object& object) const;

  const diff::ClusterDiff& diff_;
  const diff::Side& before_;
  const diff::Side* after_;
  const DeliveryEffects& delivery_;
};

// Of an object that stays.
std::string delete_command(const diff::Object& object);
// Of the MachineSets that a MachineDeployment with another selector leaves.
std::string delete_command_of_old_sets(const diff::Object& before, const diff::Object& after);

// The name of a pool that comes with the spec of one that goes: it was renamed. Empty: none does.
std::string_view renamed_to(const MachineSet& gone, const Machines& before, const Machines& after);

}  // namespace capwright::plan
