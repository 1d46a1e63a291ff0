// What a cluster is called, by the text of its values file alone: a fleet has to know all names before it writes one.
#pragma once
#include <string_view>

namespace capwright {

// The scalar of `cluster_name: NAME` at the first level of block-style YAML, a view into `text`. Empty where only
// reading the file as YAML could tell: a name that is quoted, refers to something, is set in a layer; a file in flow
// style.
std::string_view stated_name(std::string_view text);

}  // namespace capwright
