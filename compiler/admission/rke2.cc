// RKE2: its table states all rules.
#include "admission/special.h"

namespace capwright::admission {

std::span<const Special> rke2_specials() { return {}; }

}  // namespace capwright::admission
