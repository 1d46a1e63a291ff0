// Going through what a compiled schema declares: each place of a valid document once, with all that holds for it
// whatever the other values are, and its alternatives.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "schema/program.h"

namespace capwright::lint {

// A place of a document.
struct Declared {
  std::string path;                            // "worker_pools[].name"; empty: the root
  std::vector<const schema::Node*> nodes;      // all that say something about it
  const schema::Property* property = nullptr;  // that it is; null: the root, an item, or under any name
};

// `visit` says whether to go on below the place. Recursive schemas are followed once.
void walk_schema(const schema::Schema& schema, const std::function<bool(const Declared&)>& visit);

}  // namespace capwright::lint
