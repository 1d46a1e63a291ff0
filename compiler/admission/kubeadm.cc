// The kubeadm providers: nothing that their table can't say.
#include "admission/special.h"

namespace capwright::admission {

std::span<const Special> kubeadm_specials() { return {}; }

}  // namespace capwright::admission
