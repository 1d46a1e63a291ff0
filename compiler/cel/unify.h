// Assignability of types with variables, by the rules of cel-go's checker.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"

namespace capwright::cel {

// The current bindings of type variables.
class Unifier {
 public:
  explicit Unifier(Arena& arena) : arena_(arena) {}

  const Type* new_variable();
  // Whether a value of `from` is allowed where `to` is required; binds variables if so.
  bool assignable(const Type* to, const Type* from);
  bool assignable(std::span<const Type* const> to, std::span<const Type* const> from);
  // Replaces bound variables, and free ones by dyn if `close`.
  const Type* resolve(const Type* type, bool close);
  // Replaces the parameters A, B … of a signature by fresh variables.
  const Type* instantiate(const Type* type, std::map<std::string_view, const Type*>& fresh);
  // The element type of a list with both.
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

// Whether `a` is as general as `b` or more: dyn and variables are the most general.
bool is_as_general(const Type& a, const Type& b);

}  // namespace capwright::cel
