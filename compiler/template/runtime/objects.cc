// Python's defaults for types without special methods, and the runtime's own objects.
#include "template/runtime/objects.h"

#include <fmt/format.h>

#include "diag/catalog/template_operations.h"
#include "template/runtime/runtime.h"

namespace capwright {

Value Object::call(jinja::Runtime& runtime, const jinja::CallArguments&) {
  return runtime.fail_as(diag::wrong_type.info, fmt::format("'{}' object is not callable", type_name()));
}

// Python prints an address here, which would differ between runs.
void Object::repr(jinja::Runtime&, std::string& out) { out.append("<").append(type_name()).append(" object>"); }

bool Object::equals(jinja::Runtime&, const Value& other) {
  return other.is(Kind::Object) && other.object_rep() == this;
}

}  // namespace capwright

namespace capwright::jinja {

void BigIntegerObject::repr(Runtime& runtime, std::string& out) {
  if (const auto digits = runtime.decimal(number())) out.append(*digits);
}

bool BigIntegerObject::equals(Runtime& runtime, const Value& other) {
  const BigInteger whole = number();
  if (!runtime.step_whole(whole, whole, 0)) return false;
  if (other.is(Kind::Float)) return whole.to_double() == other.as_float();
  const auto* big = as<BigIntegerObject>(other);
  return big != nullptr && whole == big->number();
}

std::optional<Value> Namespace::attribute(Runtime&, const Identifier& name) {
  const Value* found = attributes_.find(name.text, name.hash);
  if (found == nullptr) return std::nullopt;
  return *found;
}

void Namespace::repr(Runtime& runtime, std::string& out) {
  out.append("<Namespace ");
  runtime.append_repr(out, attributes_);
  out.append(">");
}

std::optional<Value> ClassObject::attribute(Runtime& runtime, const Identifier& id) {
  if (id.text != "__name__") return std::nullopt;
  return runtime.string(name_);
}

void ClassObject::repr(Runtime&, std::string& out) { out.append("<class '").append(name_).append("'>"); }

bool ClassObject::equals(Runtime&, const Value& other) {
  const auto* type = as<ClassObject>(other);
  return type != nullptr && type->name_ == name_;
}

}  // namespace capwright::jinja
