// What is code, by kind: checks and defaults that no table can say. One file a provider.
#pragma once
#include <span>
#include <string_view>

#include "admission/subject.h"

namespace capwright::admission {

struct Special {
  std::string_view kind;                             // kinds are called differently in all groups that have rules
  void (*check)(Subject&) = nullptr;                 // null: none
  Value (*fill_in)(const Value&, Arena&) = nullptr;  // what the mutating webhook writes beyond the table; null: nothing
};

std::span<const Special> capi_specials();
std::span<const Special> cluster_class_specials();
std::span<const Special> kubeadm_specials();
std::span<const Special> capo_specials();
std::span<const Special> capa_specials();
std::span<const Special> capz_specials();
std::span<const Special> capoci_specials();
std::span<const Special> rke2_specials();

}  // namespace capwright::admission
