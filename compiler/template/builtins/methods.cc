// The table of methods.def, bound methods, and data attributes of numbers.
#include "template/builtins/methods.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "template/builtins/builtin.h"
#include "template/builtins/signature.h"
#include "template/builtins/sorting.h"
#include "template/runtime/watch.h"

namespace capwright::jinja {

#define CW_METHOD(TYPE, NAME, SIGNATURE, FUNCTION, PROVENANCE) Value FUNCTION(Runtime&, const BoundArguments&);
#include "template/builtins/methods.def"
#undef CW_METHOD

namespace {

enum class MethodType : std::uint8_t { Text, Markup, List, Tuple, Dict, Int, Float };

struct Method {
  MethodType type;
  std::string_view name;
  BuiltinFunction function;
  Provenance provenance;
  Signature signature;
};

constexpr auto kMethods = std::to_array<Method>({
#define CW_METHOD(TYPE, NAME, SIGNATURE, FUNCTION, PROVENANCE) \
  {MethodType::TYPE, NAME, FUNCTION, Provenance::PROVENANCE, parse_signature(SIGNATURE)},
#include "template/builtins/methods.def"
#undef CW_METHOD
});

constexpr bool comes_before(const Method& a, const Method& b) {
  return a.type != b.type ? a.type < b.type : a.name < b.name;
}
static_assert(std::is_sorted(kMethods.begin(), kMethods.end(), comes_before), "methods.def is sorted");

const Method* find_method(MethodType type, std::string_view name) {
  const auto found = std::lower_bound(
      kMethods.begin(), kMethods.end(), name,
      [&](const Method& m, std::string_view wanted) { return m.type != type ? m.type < type : m.name < wanted; });
  return found != kMethods.end() && found->type == type && found->name == name ? &*found : nullptr;
}

const Method* find_method(const Value& self, std::string_view name) {
  switch (self.kind()) {
    case Kind::String: {
      const Method* method = self.is_markup() ? find_method(MethodType::Markup, name) : nullptr;
      return method != nullptr ? method : find_method(MethodType::Text, name);
    }
    case Kind::List: return find_method(self.is_tuple() ? MethodType::Tuple : MethodType::List, name);
    case Kind::Map: return find_method(MethodType::Dict, name);
    case Kind::Bool:
    case Kind::Int: return find_method(MethodType::Int, name);
    case Kind::Float: return find_method(MethodType::Float, name);
    default: return nullptr;
  }
}

// Whether the positions of cuts reveal the text, including parts that aren't secret. The parts that `join` and `strip`
// keep don't depend on those they drop.
bool cuts_text(const Method& method) {
  return method.provenance == Provenance::Layout && method.name != "join" && !method.name.ends_with("strip");
}

void change(Runtime& runtime, const Value& self) {
  if (self.is(Kind::List)) runtime.change_by_secret(self.list_rep());
  if (self.is(Kind::Map)) runtime.change_by_secret(self.map_rep());
}

Value call_bound(Runtime& runtime, const Method& method, const Value& self, const CallArguments& call) {
  if (!runtime.step()) return Value::error();
  std::vector<Value> positional{self};
  positional.insert(positional.end(), call.positional.begin(), call.positional.end());
  const CallArguments with_self{positional, call.keywords};
  if (holds_error(with_self)) return Value::error();
  Binding binding;
  if (!bind(runtime, {method.name, method.signature, 1}, with_self, binding)) return Value::error();
  const Watch watch(runtime);
  if (cuts_text(method)) {
    for (const Value& value : positional) runtime.look_at(value);
  }
  const Value result = method.function(runtime, binding.arguments());
  if (watch.looked() && changes_container(method.name)) change(runtime, self);
  return watch.result(with_lineage(runtime, method.provenance, result, with_self));
}

// `xs.append` without a call: keeps a reference to its list.
class BoundMethod final : public Object {
 public:
  BoundMethod(const Method& method, const Value& self) : method_(method), self_(self) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments& arguments) override {
    return call_bound(runtime, method_, self_, arguments);
  }
  void repr(Runtime& runtime, std::string& out) override {
    out.append("<built-in method ")
        .append(method_.name)
        .append(" of ")
        .append(runtime.type_name(self_))
        .append(" object>");
  }

 private:
  const Method& method_;
  Value self_;
};

// real, imag, numerator, denominator.
std::optional<Value> number_attribute(const Value& self, std::string_view name) {
  const bool whole = !self.is(Kind::Float);
  const Value number = self.is(Kind::Bool) ? Value::integer(self.as_int()).with_origin(self.origin()) : self;
  if (name == "real" || (whole && name == "numerator")) return number;
  if (name == "imag") return whole ? Value::integer(0) : Value::floating(0);
  if (whole && name == "denominator") return Value::integer(1);
  return std::nullopt;
}

}  // namespace

bool changes_container(std::string_view method) {
  static constexpr std::string_view kChanging[] = {"append", "clear",   "extend",     "insert", "pop",   "popitem",
                                                   "remove", "reverse", "setdefault", "sort",   "update"};
  return std::find(std::begin(kChanging), std::end(kChanging), method) != std::end(kChanging);
}

std::optional<Value> builtin_attribute(Runtime& runtime, const Value& self, const Identifier& name) {
  if (const Method* method = find_method(self, name.text)) {
    return Value::object(runtime.arena().make<BoundMethod>(*method, self));
  }
  switch (self.kind()) {
    case Kind::Bool:
    case Kind::Int:
    case Kind::Float: return number_attribute(self, name.text);
    case Kind::List: return group_attribute(self, name.text);
    default: return std::nullopt;
  }
}

std::optional<Value> call_method(Runtime& runtime, const Value& self, const Identifier& name,
                                 const CallArguments& call) {
  const Method* method = find_method(self, name.text);
  if (method == nullptr) return std::nullopt;
  if (!runtime.step(1 + Runtime::work(self) + Runtime::work(call))) return Value::error();
  return call_bound(runtime, *method, self, call);
}

}  // namespace capwright::jinja
