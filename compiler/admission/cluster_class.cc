// ClusterClasses: templates, variables and patches that must hang together.
#include "admission/special.h"

namespace capwright::admission {

std::span<const Special> cluster_class_specials() { return {}; }

}  // namespace capwright::admission
