// The runtime's own objects: results of operators, targets of `set a.b`, and one-pass sequences. Macros, loops and
// modules are in eval/, functions and methods in builtins/.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "template/runtime/big_integer.h"
#include "template/runtime/python_object.h"
#include "template/runtime/runtime.h"
#include "value/map_index.h"

namespace capwright::jinja {

// A Value as a certain class of Object; null for other values.
template <class T>
T* as(const Value& value) {
  return value.is(Kind::Object) ? dynamic_cast<T*>(value.object_rep()) : nullptr;
}

// An int of more than 64 bits. Smaller ones are always Values of Kind::Int.
class BigIntegerObject final : public Object {
 public:
  BigIntegerObject(std::span<const std::uint32_t> limbs, bool negative) : limbs_(limbs), negative_(negative) {}
  BigInteger number() const { return BigInteger::from_limbs({limbs_.begin(), limbs_.end()}, negative_); }
  std::string_view type_name() const override { return "int"; }
  void repr(Runtime&, std::string& out) override;
  bool equals(Runtime&, const Value& other) override;

 private:
  std::span<const std::uint32_t> limbs_;
  bool negative_;
};

inline bool is_small_int(const Value& value) { return value.is(Kind::Int) || value.is(Kind::Bool); }
inline std::int64_t small_int(const Value& value) { return value.is(Kind::Bool) ? value.as_bool() : value.as_int(); }
inline bool is_whole(const Value& value) { return is_small_int(value) || as<BigIntegerObject>(value) != nullptr; }
// int, bool, float and big integers
inline bool is_number(const Value& value) { return value.is(Kind::Float) || is_whole(value); }

// The result of `namespace()`: attributes that `{% set ns.x = … %}` changes, also from inside loops and blocks.
class Namespace final : public Object {
 public:
  explicit Namespace(Value attributes) : attributes_(attributes) {}
  // `attributes` is a growing Map with String keys.
  const Value& attributes() const { return attributes_; }
  std::string_view type_name() const override { return "Namespace"; }
  Value contents() const override { return attributes_; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  void repr(Runtime&, std::string& out) override;

 private:
  Value attributes_;
};

// `value.__class__`: templates read its `__name__`.
class ClassObject final : public Object {
 public:
  explicit ClassObject(std::string_view name) : name_(name) {}
  std::string_view type_name() const override { return "type"; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  void repr(Runtime&, std::string& out) override;
  bool equals(Runtime&, const Value& other) override;

 private:
  std::string_view name_;
};

// A one-pass iterable around an Iterator: the result of `map`, `select` … A second pass is empty.
class LazySequence final : public Object {
 public:
  LazySequence(Iterator* items, std::string_view type_name) : items_(items), type_name_(type_name) {}
  std::string_view type_name() const override { return type_name_; }
  Iterator* iterate(Runtime&) override { return items_; }

 private:
  Iterator* items_;
  std::string_view type_name_;
};

// A scalar that a key picked from a map, with the key's origin as well. A key that the map itself named, as in a loop
// over its keys, picks nothing.
inline Value picked(Runtime& runtime, const Value& map, const Value& part, const Value& key) {
  const bool is_scalar = part.kind() >= Kind::Null && part.kind() <= Kind::String;
  if (key.origin() == OriginId::None || !is_scalar || !key.is(Kind::String)) return part;
  const Entry* entry = find_entry(*map.map_rep(), key.text(), key_hash(key));
  if (entry == nullptr || entry->key.origin() == key.origin()) return part;
  return part.with_origin(runtime.stage.origins.combine(part.origin(), key.origin()));
}

}  // namespace capwright::jinja
