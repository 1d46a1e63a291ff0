// Locates a foreign finding in a cluster's files.
#pragma once
#include "lint/engine/finding.h"
#include "remap/foreign_finding.h"

namespace capwright::remap {

// By its object and field, otherwise by its region, otherwise the start of `file`. Null `file`: searches all files by
// the object alone; the place may be unknown (Place::cluster is null then), also if two objects match.
lint::Place place_of(const ForeignFinding& finding, const lint::Cluster& cluster, const lint::File* file);

}  // namespace capwright::remap
