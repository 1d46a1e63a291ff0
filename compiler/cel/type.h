// Types of the Common Expression Language: inferred by the checker, and the runtime types of values. A Type lives in an
// Arena or is one of the constants; types of objects are equal if they are the same object.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace capwright::cel {

enum class TypeKind : std::uint8_t {
  Error,  // of an expression: already reported; of a value: the evaluation failed
  Dyn,    // known only during evaluation; of a value: data without a schema, which only `==` can compare
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Duration,
  Timestamp,
  List,
  Map,
  Object,  // a map whose fields a schema declares; its values are Maps
  Type,
  Param,  // a type variable of a signature, or one that the checker hasn't bound yet
  Optional,
  Ip,
  Cidr,
  Quantity,
  Url,
  Semver,
  Format,
};

struct Type;

// A field of an Object; `name` is escaped, as in expressions.
struct Field {
  std::string_view name;
  const Type* type;
};

struct Type {
  TypeKind kind = TypeKind::Dyn;
  std::string_view name = {};          // Param: `A`; Object: the path of its schema
  const Type* first = nullptr;         // element of a List, key of a Map, value of an Optional, type of a Type
  const Type* second = nullptr;        // value of a Map
  std::span<const Field> fields = {};  // of an Object, sorted by name

  bool is(TypeKind other) const { return kind == other; }
  // The field of that name; null if there is none.
  const Field* field(std::string_view field_name) const;
};

// Known when it is evaluated only, or reported already: fits everything.
inline bool fits_all(const Type& type) { return type.is(TypeKind::Dyn) || type.is(TypeKind::Error); }

// The constant for a kind without parameters.
const Type* simple(TypeKind);
const Type* list_of(const Type* element, Arena&);
const Type* map_of(const Type* key, const Type* value, Arena&);
const Type* optional_of(const Type* value, Arena&);
const Type* type_of(const Type* named, Arena&);

// Whether both are the same type, parameters included.
bool same(const Type& a, const Type& b);

// The form in messages and signatures: `list(string)`, `map(string, int)`, `optional(dyn)`.
std::string to_text(const Type&);

// The names that `type(x)` compares: `int`, `null_type`, `google.protobuf.Timestamp`, `net.IP`. Objects are `map`.
std::string_view runtime_name(TypeKind);
// A type that an expression can name, such as `int` or `net.IP`; null for other names.
const Type* named_type(std::string_view name);

// Parses `list(A)`, `map(K, V)`, `optional(T)` … as in signatures; upper-case names are Params.
const Type* parse_type(std::string_view& text, Arena&);

}  // namespace capwright::cel
