// Assignment: to names, to tuples of targets, to attributes of namespaces.
#include "base/check.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"
#include "template/runtime/objects.h"
#include "template/runtime/watch.h"

namespace capwright::jinja {

bool Evaluator::store(const Expr& target, const Value& value) {
  switch (target.kind) {
    case NodeKind::Name:
      slot(static_cast<const Name&>(target).slot) = decisions_.now.secret ? value.with_taint() : value;
      return true;
    case NodeKind::Tuple: return unpack(static_cast<const Tuple&>(target), value);
    case NodeKind::GetAttr: return store_attribute(static_cast<const GetAttr&>(target), value);
    default: CW_UNREACHABLE("the parser lets through names, tuples and attributes only");
  }
}

void Evaluator::poison(const Expr& target) {
  if (target.kind == NodeKind::Name) {
    slot(static_cast<const Name&>(target).slot) = Value::error();
  } else if (target.kind == NodeKind::Tuple) {
    for (const Expr* item : static_cast<const Tuple&>(target).items) poison(*item);
  }
}

bool Evaluator::unpack(const Tuple& target, const Value& value) {
  if (value.is_error()) {
    poison(target);
    return true;
  }
  const auto fail_poisoned = [&](const DiagInfo& info, std::string message) {
    poison(target);
    if (!message.empty()) fail_as(info, std::move(message));
    return false;
  };
  if (!usable(value)) return fail_poisoned(diag::wrong_type.info, {});
  if (!iterable(value)) {
    return fail_poisoned(diag::wrong_type.info, fmt::format("cannot unpack non-iterable {} object", type_name(value)));
  }
  const Watch watch(*this);
  Iterator* items = iterate(value);
  const std::size_t wanted = target.items.size();
  SmallVector<Value, 4> found;
  for (Value item; found.size() <= wanted && items->next(*this, item);) found.push_back(item);
  if (found.size() < wanted) {
    return fail_poisoned(diag::wrong_value.info,
                         fmt::format("not enough values to unpack (expected {}, got {})", wanted, found.size()));
  }
  if (found.size() > wanted) {
    Diagnostic* fault = report(diag::wrong_value, here, fmt::format("too many values to unpack (expected {})", wanted));
    if (fault != nullptr && wanted == 2 && value.is(Kind::String))
      fault->advise("to loop over the keys and values of a map, write `in map.items()`");
    return fail_poisoned(diag::wrong_value.info, {});
  }
  bool stored = true;
  for (std::size_t i = 0; i < wanted; ++i) stored = store(*target.items[i], found.items()[i]) && stored;
  return stored;
}

// `{% set a.b = … %}` checks that `a` is a namespace before it evaluates the value.
bool Evaluator::targets_are_namespaces(const Expr& target) {
  if (target.kind == NodeKind::Tuple) {
    bool all = true;
    for (const Expr* item : static_cast<const Tuple&>(target).items) all = targets_are_namespaces(*item) && all;
    return all;
  }
  if (target.kind != NodeKind::GetAttr) return true;
  const auto& object = static_cast<const Name&>(*static_cast<const GetAttr&>(target).object);
  const Value owner = eval_name(object);
  if (owner.is_error()) return false;
  if (as<Namespace>(owner) != nullptr) return true;
  stand_at(target, object.span);
  fail(diag::not_a_namespace, object.id.text);
  return false;
}

bool Evaluator::store_attribute(const GetAttr& target, const Value& stored) {
  const Value value = decisions_.now.secret ? stored.with_taint() : stored;
  const Value owner = eval(*target.object);
  const Value key = make_key(arena(), target.name.text);
  stand_at(target);
  if (owner.tainted() && !decisions_.now.secret)
    Effects(*this).decide_rest(owner.origin());  // a secret selected the object that changes
  if (const auto* names = as<Namespace>(owner)) return set_item(names->attributes(), key, value);
  if (owner.is(Kind::Map)) return set_item(owner, key, value);  // allowed in a set block, as in Jinja2
  if (owner.is_error()) return false;
  if (owner.is(Kind::List) && !owner.is_tuple()) {
    fail_as(diag::wrong_type.info, "list indices must be integers or slices, not str");
    return false;
  }
  const std::string_view type = owner.is(Kind::Undefined) ? "_MissingType" : type_name(owner);
  fail_as(diag::wrong_type.info, fmt::format("'{}' object does not support item assignment", type));
  return false;
}

void Evaluator::store_toplevel(const Expr& target) {
  if (target.kind == NodeKind::Name) {
    const auto& name = static_cast<const Name&>(target);
    store_toplevel(name, !name.id.text.starts_with('_'));
  } else if (target.kind == NodeKind::Tuple) {
    for (const Expr* item : static_cast<const Tuple&>(target).items) store_toplevel(*item);
  }
}

void Evaluator::store_toplevel(const Name& name, bool exported) {
  Context& context = *record_->context;
  const Value& value = slot(name.slot);
  if (context.variables.is(Kind::Null)) context.variables = dict();
  const Value* known = context.variables.find(name.id.text, name.id.hash);
  if (known != nullptr) {
    *const_cast<Value*>(known) = value;
  } else {
    set_item(context.variables, make_name(name.id), value);
  }
  const bool was_exported = context.exported.find(name.id.text, name.id.hash) != nullptr;
  if (exported && !was_exported) {
    if (context.exported.is(Kind::Null)) context.exported = dict();
    set_item(context.exported, make_name(name.id), Value::null());
  } else if (!exported && was_exported) {
    remove_item(context.exported, make_name(name.id));
  }
}

}  // namespace capwright::jinja
