// The name of a cluster, from the text of its values file alone: all names of a fleet must be known before writing.
#pragma once
#include <string_view>

namespace capwright {

// The scalar of `cluster_name: NAME` at the top level of block-style YAML, a view into `text`. Empty if a YAML parser
// is needed: for a name that is quoted, is a reference, or is set in a layer, and for a file in flow style.
std::string_view stated_name(std::string_view text);

}  // namespace capwright
