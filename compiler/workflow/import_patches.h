// What values can't say: patches, resources and existing names.
#pragma once
#include <map>
#include <string>

#include "workflow/import_align.h"

namespace capwright::workflow {

// Entries for `patches` that make the rendered objects equal to the imported ones, and delete those without an imported
// one. An empty List if nothing differs.
Value patches_for(const Alignment& alignment, Arena& arena);

// Files for `resources` with the imported objects that aren't rendered: text by path.
std::map<std::string, std::string> resources_for(const Alignment& alignment, const std::string& cluster);

// Entries for `existing_names`.
Value existing_names_for(const Alignment& alignment, Arena& arena);

}  // namespace capwright::workflow
