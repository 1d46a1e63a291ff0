// Values that templates read although no values file can set them.
#pragma once
#include "pipeline/template_set.h"

namespace capwright {

// Compares what the templates of a set read with what its schema declares, and warns, with candidates, in the set's
// sink. Not reported: what a template copes without, what any template of the set defines, and finished add-ons, whose
// shape is the catalogue's. Copies of common partials are compared with the schemas of all built-in sets. A set without
// a schema has nothing to compare with.
void check_references(TemplateSet&);

}  // namespace capwright
