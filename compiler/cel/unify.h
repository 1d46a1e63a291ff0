// Assignability of types with variables, as cel-go's checker decides it.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"

namespace capwright::cel {

// What type variables are bound to so far.
class Unifier {
 public:
  explicit Unifier(Arena& arena) : arena_(arena) {}

  const Type* new_variable();
  // Whether a value of `from` may stand where `to` is wanted; binds variables if so.
  bool assignable(const Type* to, const Type* from);
  bool assignable(std::span<const Type* const> to, std::span<const Type* const> from);
  // The type with bound variables replaced, and free ones by dyn if `close`.
  const Type* resolve(const Type* type, bool close);
  // The type with the parameters A, B … of a signature replaced by fresh variables.
  const Type* instantiate(const Type* type, std::map<std::string_view, const Type*>& fresh);
  // What a list of both holds.
  const Type* join(const Type* a, const Type* b);

 private:
  using Bindings = std::map<std::string_view, const Type*>;
  template <class Leaf>
  const Type* rebuild(const Type* type, Leaf leaf);
  const Type* bound(const Type* variable) const;
  bool unify(const Type* a, const Type* b);
  bool bind(const Type* variable, const Type* type, bool& had_binding);
  bool occurs(const Type* variable, const Type* type) const;

  Arena& arena_;
  Bindings bindings_;
  int count_ = 0;
};

// Whether `a` says as much as `b` or less: dyn and variables say nothing.
bool is_as_general(const Type& a, const Type& b);

}  // namespace capwright::cel
