// The server's checks of a decoded object besides its structure: metadata, its own kinds, and CEL rules.
//
// Checks of `metadata` apply to every kind: names, labels, annotations, owners, finalizers. Also for embedded objects,
// including their types.
#pragma once
#include "crd/object_place.h"
#include "crd/program.h"
#include "crd/registry.h"

namespace capwright::crd {

// What an object's name must be.
enum class NameRule : std::uint8_t { Subdomain, Label, PathSegment };

// `place` is the object. The server drops the namespace of a cluster-scoped object before it validates.
void check_metadata(const Place& place, NameRule, bool namespaced, Reporter&);

// Checks type and metadata of objects in fields with `x-kubernetes-embedded-resource`.
void check_embedded(const Node&, const Place&, Reporter&);

// The server's own kinds (Secret, ConfigMap, Namespace …): decoded into Go types, with the checks of each kind.

// Reports values that don't decode into a native type: unknown fields, and values of another type. The latter have the
// path `path`, because the server names no more. Returns false if there is a value of another type.
bool check_native(const Node&, const Value&, const Place&, std::string_view path, Reporter&);

// Reports the errors for which the server rejects the object on creation.
void check_native_object(const Schema&, const KindVersion&, const Value& object, Reporter&);

// x-kubernetes-validations: the CEL rules of a schema, run on a value.

// Evaluates the rules of the node and of all nodes below it, within the server's budget for one object.
void check_rules(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
