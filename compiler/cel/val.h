// Values during evaluation: document data, which is read through its schema on each access, or results of expressions.
// A Val is 24 bytes and passed by value; its payload lives in an Arena.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/structural_schema.h"
#include "cel/time.h"
#include "cel/type.h"
#include "text/ip_address.h"
#include "value/value.h"

namespace capwright::cel {

class Bounds;
class Val;
struct Pair;
struct Quantity;
struct Semver;
struct Url;
struct NamedFormat;

// Why an evaluation failed. The evaluator fills in `where`: bytes of the expression.
struct Fault {
  std::uint32_t begin = 0, end = 0;
  std::string_view message;
  std::span<const Val> operands;
  bool stops = false;  // the budget is spent: `||`, `&&` and macros don't absorb it
};

class Val {
 public:
  Val() = default;

  static Val null() { return Val(TypeKind::Null); }
  static Val boolean(bool b) { return with_bits(TypeKind::Bool, b ? 1 : 0); }
  static Val integer(std::int64_t i) { return with_bits(TypeKind::Int, i); }
  static Val unsigned_integer(std::uint64_t u) { return with_bits(TypeKind::Uint, static_cast<std::int64_t>(u)); }
  static Val floating(double d) {
    Val v(TypeKind::Double);
    v.payload_.floating = d;
    return v;
  }
  static Val string(const Text* text) { return with_pointer(TypeKind::String, text); }
  static Val bytes(const Text* text) { return with_pointer(TypeKind::Bytes, text); }
  static Val duration(std::int64_t nanos) { return with_bits(TypeKind::Duration, nanos); }
  static Val timestamp(Instant instant) {
    Val v = with_bits(TypeKind::Timestamp, instant.seconds);
    v.extra_.subsecond = {instant.nanos, instant.offset};
    return v;
  }
  static Val type(const Type* type) { return with_pointer(TypeKind::Type, type); }
  static Val optional_none() { return with_pointer(TypeKind::Optional, nullptr); }
  static Val error(const Fault* fault) { return with_pointer(TypeKind::Error, fault); }
  static Val ip(const ip::Network* n) { return with_pointer(TypeKind::Ip, n); }  // the prefix is ignored
  static Val cidr(const ip::Network* n) { return with_pointer(TypeKind::Cidr, n); }
  static Val quantity(const Quantity* q) { return with_pointer(TypeKind::Quantity, q); }
  static Val url(const Url* u) { return with_pointer(TypeKind::Url, u); }
  static Val semver(const Semver* s) { return with_pointer(TypeKind::Semver, s); }
  static Val format(const NamedFormat* f) { return with_pointer(TypeKind::Format, f); }

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == TypeKind::Error; }
  bool is_true() const { return kind_ == TypeKind::Bool && payload_.bits != 0; }
  bool is_false() const { return kind_ == TypeKind::Bool && payload_.bits == 0; }

  bool as_bool() const { return payload_.bits != 0; }
  std::int64_t as_int() const { return payload_.bits; }
  std::uint64_t as_uint() const { return static_cast<std::uint64_t>(payload_.bits); }
  double as_double() const { return payload_.floating; }
  std::string_view text() const { return static_cast<const Text*>(payload_.pointer)->view(); }  // String, Bytes
  Instant as_instant() const { return {payload_.bits, extra_.subsecond.nanos, extra_.subsecond.offset}; }
  const Type* as_type() const { return static_cast<const Type*>(payload_.pointer); }
  const Val* inner() const { return static_cast<const Val*>(payload_.pointer); }  // Optional; null: no value
  const Fault* fault() const { return static_cast<const Fault*>(payload_.pointer); }
  const ip::Network& network() const { return *static_cast<const ip::Network*>(payload_.pointer); }
  const Quantity& as_quantity() const { return *static_cast<const Quantity*>(payload_.pointer); }
  const Url& as_url() const { return *static_cast<const Url*>(payload_.pointer); }
  const Semver& as_semver() const { return *static_cast<const Semver*>(payload_.pointer); }
  const NamedFormat& as_format() const { return *static_cast<const NamedFormat*>(payload_.pointer); }

  // Of a List or Map.
  std::size_t size() const;
  Val item(std::size_t index, Arena&) const;  // of a List; an error if the data doesn't match its schema
  // The value at a key of a Map; empty if it is absent. Equal numbers are the same key.
  std::optional<Val> find(const Val& key, Arena&) const;
  std::optional<Val> find(std::string_view key, Arena&) const;
  std::span<const Val> keys(Arena&) const;  // of a Map
  // Whether this is raw document data (List, Map, Dyn) and not the result of an expression.
  bool is_data() const { return data_; }
  Value data() const;
  // The schema for reading the data; for a concatenation of lists, the one that defines its list type (set, map).
  const Schema* schema() const { return is(TypeKind::Timestamp) ? nullptr : extra_.schema; }

  // The origin of the document's scalar or container; None for results of expressions.
  OriginId origin() const { return origin_; }
  Val with_origin(OriginId origin) const {
    Val v = *this;
    v.origin_ = origin;
    return v;
  }
  bool tainted() const { return tainted_; }
  Val with_taint(bool tainted = true) const {
    Val v = *this;
    v.tainted_ = tainted;
    return v;
  }

 private:
  explicit Val(TypeKind kind) : kind_(kind) {}
  static Val with_bits(TypeKind kind, std::int64_t bits) {
    Val v(kind);
    v.payload_.bits = bits;
    return v;
  }
  static Val with_pointer(TypeKind kind, const void* pointer) {
    Val v(kind);
    v.payload_.pointer = pointer;
    return v;
  }
  friend Val make_list(std::span<const Val>, Arena&, const Schema*);
  friend Val make_map(std::span<const Pair>, Arena&);
  friend Val make_optional(const Val&, Arena&);
  friend Val data_val(const Value&, TypeKind, const Schema*, Arena&);

  TypeKind kind_ = TypeKind::Null;
  bool data_ = false;
  bool tainted_ = false;
  OriginId origin_ = OriginId::None;
  union Payload {
    std::int64_t bits = 0;
    double floating;
    const void* pointer;
    List* list;  // of data
    Map* map;    // of data
  } payload_;
  union Extra {
    const Schema* schema = nullptr;  // of data; null: read it without a schema
    struct {
      std::uint32_t nanos;
      std::int32_t offset;
    } subsecond;  // of a Timestamp
  } extra_;
};
static_assert(sizeof(Val) == 24);

struct Pair {
  Val key;
  Val value;
};

Val make_string(std::string_view bytes, Arena&);
Val make_bytes(std::string_view bytes, Arena&);
Val make_list(std::span<const Val> items, Arena&, const Schema* list_type = nullptr);
Val make_string_list(std::span<const std::string> items, Arena&);
// The last of equal keys wins. The pairs are sorted by key in place.
Val make_map(std::span<const Pair> pairs, Arena&);
Val make_optional(const Val& value, Arena&);
Val make_error(std::string_view message, Arena&);
Val no_such_overload(Arena&);

// Reads data by a schema; a null `schema` accepts every scalar, list and map. An error if the data doesn't fit.
Val from_data(const Value& data, const Schema* schema, Arena&);

// `==`: a Bool, or Kubernetes' error for data that is compared with another kind. Numbers are equal by value; lists of
// type set and map in any order. Also an error once the bounds are exceeded.
Val equal(const Val& a, const Val& b, Bounds&);
// -1, 0 or 1; empty if the two are not ordered: different kinds, containers, NaN.
std::optional<int> compare(const Val& a, const Val& b);
// X + Y of lists; elements that X already has are merged as the list type (set, map) requires.
Val concatenate(const Val& x, const Val& y, Bounds&);

// For messages, in expression syntax: `"a"`, `[1, 2u]`, `{"k": 1.5}`, `duration("1s")`. Truncated after `most` bytes.
std::string to_text(const Val&, std::size_t most = 120);

}  // namespace capwright::cel
