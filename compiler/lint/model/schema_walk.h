// Traverses the declarations of a compiled schema: visits each place of a valid document once, with all declarations
// that apply to it, including alternatives.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "schema/program.h"

namespace capwright::lint {

// A place of a document.
struct Declared {
  std::string path;                            // "worker_pools[].name"; empty: the root
  std::vector<const schema::Node*> nodes;      // all that apply to it
  const schema::Property* property = nullptr;  // its declaration; null: the root, an item, or any key
};

// `visit` returns whether to continue below the place. Follows recursive schemas once.
void walk_schema(const schema::Schema& schema, const std::function<bool(const Declared&)>& visit);

}  // namespace capwright::lint
