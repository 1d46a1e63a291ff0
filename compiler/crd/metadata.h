// `metadata` as the server checks it in every kind: names, labels, annotations, owners, finalizers.
#pragma once
#include "crd/place.h"

namespace capwright::crd {

// What an object's name must be.
enum class NameRule : std::uint8_t { Subdomain, Label, PathSegment };

// `place` is the object.
void check_metadata(const Place& place, NameRule, Reporter&);

}  // namespace capwright::crd
