// Settings that keep controllers from acting on a change, so that it waits.
#pragma once
#include <optional>
#include <string>

#include "plan/machine_sets.h"

namespace capwright::plan {

struct Hold {
  std::string why;
  bool is_pause = false;
  bool removes = false;  // also holds back the removal of machines
  bool adds = false;     // also holds back new machines, from scaling or a new pool

  bool holds(Verb verb, bool grows) const;
};

// Empty: the controllers of these machines act at once.
std::optional<Hold> hold_of(const MachineSet& set, const Machines& machines, const diff::Side& side);

}  // namespace capwright::plan
