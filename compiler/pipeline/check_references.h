// Reports values that templates read although no values file can set them.
#pragma once
#include "pipeline/template_set.h"

namespace capwright {

// Compares the references of a set's templates with the keys that its schema declares. Adds warnings with suggestions
// to the set's sink. Doesn't report references whose absence the template handles, names that any template of the set
// defines, and completed add-ons, whose shape is the catalogue's. Copies of common partials are compared with the
// schemas of all built-in sets. A set without a schema isn't checked.
void check_references(TemplateSet&);

}  // namespace capwright
