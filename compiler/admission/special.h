// Checks and defaults in code, by kind, for rules that no table can state. One file per provider.
#pragma once
#include <span>
#include <string_view>

#include "admission/subject.h"

namespace capwright::admission {

struct Special {
  std::string_view kind;                             // unique over all groups that have rules
  void (*check)(Subject&) = nullptr;                 // null: none
  Value (*fill_in)(const Value&, Arena&) = nullptr;  // additional defaults of the mutating webhook; null: none
};

std::span<const Special> capi_specials();
std::span<const Special> cluster_class_specials();
std::span<const Special> kubeadm_specials();
std::span<const Special> capo_specials();
std::span<const Special> capa_specials();
std::span<const Special> capz_specials();
std::span<const Special> capoci_specials();
std::span<const Special> rke2_specials();

// The variables of a ClusterClass: validates their schemas, and their defaults against them.

void check_class_variables(Subject&);

}  // namespace capwright::admission
