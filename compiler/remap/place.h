// Where in a cluster's files a foreign finding is.
#pragma once
#include "lint/finding.h"
#include "remap/foreign_finding.h"

namespace capwright::remap {

// By its object and field, else by its region, else the beginning of `file`. Null `file`: the object alone decides
// among all files, and there may be no place (Place::cluster is null then), also when two objects could be meant.
lint::Place place_of(const ForeignFinding& finding, const lint::Cluster& cluster, const lint::File* file);

}  // namespace capwright::remap
