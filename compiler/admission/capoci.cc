// Oracle Cloud: nothing that its table can't say.
#include "admission/special.h"

namespace capwright::admission {

std::span<const Special> capoci_specials() { return {}; }

}  // namespace capwright::admission
