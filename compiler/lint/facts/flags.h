// Flags of a program that a manifest starts.
#pragma once
#include <string_view>

#include "lint/model/node.h"

namespace capwright::lint {

struct Flag {
  Node place;             // of the value, or of `name=value` as a whole
  std::string_view text;  // the value
};

// The flag `name` in any of the three forms: a list of `{name, value}` (kubeadm v1beta4), a map (v1beta3), or a list of
// `name=value` (RKE2, k3s). Empty if the flag isn't set.
Flag flag_of(const Node& flags, std::string_view name);

}  // namespace capwright::lint
