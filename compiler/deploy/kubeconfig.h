// The kubeconfig that an installer leaves, made usable from elsewhere.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "value/stage.h"

namespace capwright::deploy {

// The text with `address` in place of a loopback address in `clusters[].cluster.server`; all other bytes stay. Empty
// after reporting that it isn't a kubeconfig. Without an address, the text itself. `servers` counts the replaced ones.
std::optional<std::string> normalized_kubeconfig(FileId file, std::string_view address, int& servers, Stage& stage);

}  // namespace capwright::deploy
