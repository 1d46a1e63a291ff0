// A tool upgrade never replaces machines: a cluster goes on with the version of the built-in template set, and the way
// of naming, that rendered it, until its owner says otherwise.
#pragma once
#include <string>

#include "diag/diag.h"
#include "files/index.h"

namespace capwright::rotation {

// What is about to render a cluster.
struct Renderer {
  const RenderStamp& stamp;
  bool built_in = false;  // the set's own version comes with the tool; a repository's own set is its owner's to change
  bool rotates = false;
};

// Reports when `renderer` may give other specs or names than the earlier render of `cluster` did.
void check_pin(const Index& earlier, const Renderer& renderer, const std::string& cluster, Sink&);

}  // namespace capwright::rotation
