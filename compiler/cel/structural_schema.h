// The parts of a structural schema (OpenAPI v3 as in CRDs) that matter to expressions: how a value is read, its type,
// and whether a list is compared as a set or as a map.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cel/type.h"
#include "value/value.h"

namespace capwright::cel {

enum class Shape : std::uint8_t {
  Opaque,  // no type: expressions may only compare it for equality
  Object,  // fields with schemas
  Map,     // `additionalProperties`: any key, one schema
  List,
  String,
  Bytes,     // `format: byte`
  Duration,  // `format: duration`
  Date,      // `format: date`
  DateTime,  // `format: date-time`
  Integer,
  Number,
  Boolean,
  IntOrString,
};

enum class ListType : std::uint8_t { Atomic, Set, Map };

struct Schema;

struct Property {
  std::string_view name;  // the unescaped name
  const Schema* schema;
};

struct Schema {
  Shape shape = Shape::Opaque;
  ListType list_type = ListType::Atomic;
  bool nullable = false;
  bool has_fields = false;        // an Object with `properties`: its keys are escaped, and null means absent
  const Schema* items = nullptr;  // of a List, of the values of a Map
  std::span<const Property> properties = {};             // of an Object, sorted by name
  std::span<const std::string_view> list_map_keys = {};  // of a List of type Map
  const Type* type = nullptr;                            // null: invisible to expressions

  // The schema of a key of an Object or Map; null if there is none.
  const Schema* at(std::string_view key) const;
};

// The root of a resource, and an embedded one, always have apiVersion, kind and two fields of metadata.
enum class SchemaRole : std::uint8_t { Plain, ResourceRoot };

// Reads a schema in JSON form (`type`, `properties`, `x-kubernetes-*` …). The strings of `json` must outlive the
// result. Values deeper than 64 levels are Opaque.
const Schema* read_schema(const Value& json, SchemaRole, Arena&);

// Kubernetes' escapes of names that aren't identifiers: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. False if
// the name can't be escaped; `escaped` is then empty.
bool escape(std::string_view name, std::string& escaped);
// The reverse; false for an escape that doesn't exist.
bool unescape(std::string_view escaped, std::string& name);

// Words that aren't identifiers, either for Kubernetes or for the lexer.
bool is_reserved(std::string_view word);

}  // namespace capwright::cel
