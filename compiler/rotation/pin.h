// Keeps tool upgrades from replacing machines: a cluster keeps the version of the built-in template set and the naming
// scheme that rendered it, until its owner upgrades it.
#pragma once
#include <string>

#include "diag/diag.h"
#include "files/index.h"

namespace capwright::rotation {

// The template set and naming scheme for the next render of a cluster.
struct Renderer {
  const RenderStamp& stamp;
  bool built_in = false;  // the set's version is the tool's; the repository's own sets change only by their owner
  bool rotates = false;
};

// Reports if `renderer` may produce other specs or names than the earlier render of `cluster`.
void check_pin(const Index& earlier, const Renderer& renderer, const std::string& cluster, Sink&);

}  // namespace capwright::rotation
