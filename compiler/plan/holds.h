// What keeps controllers from acting on a change, so that it waits.
#pragma once
#include <optional>
#include <string>

#include "plan/machines.h"

namespace capwright::plan {

struct Hold {
  std::string why;
  bool is_pause = false;
  bool removes = false;  // also machines that would go
  bool adds = false;     // also machines that would come, by scaling or with a new pool

  bool holds(Verb verb, bool grows) const;
};

// Nothing: the controllers of these machines act at once.
std::optional<Hold> hold_of(const MachineSet& set, const Machines& machines, const diff::Side& side);

}  // namespace capwright::plan
