// Unification. Binding goes both ways; dyn and errors are compatible with every type.
#include "cel/unify.h"

namespace capwright::cel {
namespace {

// Kinds that accept null, as in protocol buffers.
bool takes_null(const Type& type) {
  switch (type.kind) {
    case TypeKind::Null:
    case TypeKind::Object:
    case TypeKind::Duration:
    case TypeKind::Timestamp:
    case TypeKind::Optional:
    case TypeKind::Ip:
    case TypeKind::Cidr:
    case TypeKind::Quantity:
    case TypeKind::Url:
    case TypeKind::Semver:
    case TypeKind::Format: return true;
    default: return false;
  }
}

bool has_parameters(const Type& type) {
  return type.is(TypeKind::List) || type.is(TypeKind::Map) || type.is(TypeKind::Optional);
}

const Type* or_dyn(const Type* type) { return type != nullptr ? type : simple(TypeKind::Dyn); }

}  // namespace

bool is_as_general(const Type& a, const Type& b) {
  if (a.is(TypeKind::Dyn) || a.is(TypeKind::Param)) return true;
  if (b.is(TypeKind::Dyn) || b.is(TypeKind::Param)) return false;
  if (a.kind != b.kind) return false;
  if (a.is(TypeKind::Type)) return true;
  if (!has_parameters(a)) return same(a, b);
  if (!is_as_general(*or_dyn(a.first), *or_dyn(b.first))) return false;
  return !a.is(TypeKind::Map) || is_as_general(*or_dyn(a.second), *or_dyn(b.second));
}

const Type* Unifier::new_variable() {
  return arena_.make<Type>(TypeKind::Param, arena_.text("_" + std::to_string(count_++)));
}

const Type* Unifier::bound(const Type* variable) const {
  const auto found = bindings_.find(variable->name);
  return found == bindings_.end() ? nullptr : found->second;
}

bool Unifier::occurs(const Type* variable, const Type* type) const {
  if (same(*variable, *type)) return true;
  if (type->is(TypeKind::Param)) {
    const Type* inner = bound(type);
    return inner != nullptr && occurs(variable, inner);
  }
  return (type->first != nullptr && occurs(variable, type->first)) ||
         (type->second != nullptr && occurs(variable, type->second));
}

bool Unifier::bind(const Type* variable, const Type* type, bool& had_binding) {
  had_binding = true;
  if (same(*variable, *type)) return true;
  if (const Type* present = bound(variable)) {
    if (same(*present, *type)) return true;
    if (!unify(type, present)) return false;
    const Type* wider = join(type, present);
    if (!occurs(variable, wider)) bindings_[variable->name] = wider;
    return true;
  }
  had_binding = false;
  if (occurs(variable, type)) return false;
  bindings_[variable->name] = type;
  return true;
}

bool Unifier::unify(const Type* a, const Type* b) {
  bool had_binding = false;
  if (b->is(TypeKind::Param)) {
    if (bind(b, a, had_binding)) return true;
    if (had_binding) return false;
  }
  if (a->is(TypeKind::Param)) return bind(a, b, had_binding);
  if (fits_all(*a) || fits_all(*b)) return true;
  if (a->is(TypeKind::Null)) return takes_null(*b);
  if (b->is(TypeKind::Null)) return takes_null(*a);
  if (a->is(TypeKind::Type)) return b->is(TypeKind::Type);
  if (a->kind != b->kind) return false;
  if (!has_parameters(*a)) return same(*a, *b);
  if (!unify(or_dyn(a->first), or_dyn(b->first))) return false;
  return !a->is(TypeKind::Map) || unify(or_dyn(a->second), or_dyn(b->second));
}

bool Unifier::assignable(const Type* to, const Type* from) {
  return assignable(std::span(&to, 1), std::span(&from, 1));
}

bool Unifier::assignable(std::span<const Type* const> to, std::span<const Type* const> from) {
  if (to.size() != from.size()) return false;
  Bindings before = bindings_;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (unify(to[i], from[i])) continue;
    bindings_ = std::move(before);
    return false;
  }
  return true;
}

template <class Leaf>
const Type* Unifier::rebuild(const Type* type, Leaf leaf) {
  if (type == nullptr) return nullptr;
  if (type->is(TypeKind::Param)) return leaf(type);
  if (type->first == nullptr || type->is(TypeKind::Object)) return type;
  const Type* first = rebuild(type->first, leaf);
  const Type* second = rebuild(type->second, leaf);
  if (first == type->first && second == type->second) return type;
  return arena_.make<Type>(type->kind, type->name, first, second);
}

const Type* Unifier::resolve(const Type* type, bool close) {
  return rebuild(type, [this, close](const Type* variable) -> const Type* {
    if (const Type* inner = bound(variable)) return resolve(inner, close);
    return close ? simple(TypeKind::Dyn) : variable;
  });
}

const Type* Unifier::instantiate(const Type* type, std::map<std::string_view, const Type*>& fresh) {
  return rebuild(type, [&](const Type* parameter) {
    const Type*& variable = fresh[parameter->name];
    if (variable == nullptr) variable = new_variable();
    return variable;
  });
}

const Type* Unifier::join(const Type* a, const Type* b) { return is_as_general(*a, *b) ? a : b; }

}  // namespace capwright::cel
