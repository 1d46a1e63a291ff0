// The tables from builtins.def, and the calling convention of all builtins.
#include "template/builtins/builtin.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "template/builtins/signature.h"
#include "template/runtime/watch.h"

namespace capwright::jinja {

#define CW_FILTER(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#define CW_TEST(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#define CW_FUNCTION(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#include "template/builtins/builtins.def"
#undef CW_FILTER
#undef CW_TEST
#undef CW_FUNCTION

namespace {

struct Row : Builtin {
  Signature parsed;
};

// The names of extras.def, by kind.
constexpr std::pair<BuiltinKind, std::string_view> kExtras[] = {
#define CW_FILTER(NAME, ...) {BuiltinKind::Filter, NAME},
#define CW_TEST(NAME, ...) {BuiltinKind::Test, NAME},
#define CW_FUNCTION(NAME, ...) {BuiltinKind::Function, NAME},
#include "template/builtins/extras/extras.def"
#undef CW_FILTER
#undef CW_TEST
#undef CW_FUNCTION
};
constexpr bool is_extra(BuiltinKind kind, std::string_view name) {
  return std::find(std::begin(kExtras), std::end(kExtras), std::pair(kind, name)) != std::end(kExtras);
}

#define CW_ROW(KIND, NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND)                           \
  Row{{NAME, BuiltinKind::KIND, SIGNATURE, FUNCTION, Provenance::PROVENANCE, Operand::OPERAND, \
       is_extra(BuiltinKind::KIND, NAME)},                                                     \
      parse_signature(SIGNATURE)},

template <std::size_t N>
consteval std::array<Row, N> by_name(const Row (&rows)[N]) {
  std::array<Row, N> sorted = std::to_array(rows);
  std::sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < N; ++i) {
    if (sorted[i - 1].name == sorted[i].name) throw "two builtins of one kind have the same name";
  }
  return sorted;
}
template <std::size_t N>
consteval std::array<std::string_view, N> names_of(const std::array<Row, N>& rows) {
  std::array<std::string_view, N> names;
  std::transform(rows.begin(), rows.end(), names.begin(), [](const Row& row) { return row.name; });
  return names;
}

#define CW_TEST(...)
#define CW_FUNCTION(...)
#define CW_FILTER(...) CW_ROW(Filter, __VA_ARGS__)
constexpr auto kFilters = by_name({
#include "template/builtins/builtins.def"
});
#undef CW_FILTER
#undef CW_TEST
#define CW_FILTER(...)
#define CW_TEST(...) CW_ROW(Test, __VA_ARGS__)
constexpr auto kTests = by_name({
#include "template/builtins/builtins.def"
});
#undef CW_TEST
#undef CW_FUNCTION
#define CW_TEST(...)
#define CW_FUNCTION(...) CW_ROW(Function, __VA_ARGS__)
constexpr auto kFunctions = by_name({
#include "template/builtins/builtins.def"
});
#undef CW_FILTER
#undef CW_TEST
#undef CW_FUNCTION

constexpr auto kFilterNames = names_of(kFilters);
constexpr auto kTestNames = names_of(kTests);
constexpr auto kFunctionNames = names_of(kFunctions);

std::span<const Row> rows_of(BuiltinKind kind) {
  switch (kind) {
    case BuiltinKind::Filter: return kFilters;
    case BuiltinKind::Test: return kTests;
    case BuiltinKind::Function: return kFunctions;
  }
  CW_UNREACHABLE("there is no such kind of builtin");
}

}  // namespace

const Builtin* find_builtin(BuiltinKind kind, std::string_view name, bool with_extras) {
  const auto rows = rows_of(kind);
  const auto found = std::lower_bound(rows.begin(), rows.end(), name,
                                      [](const Row& row, std::string_view wanted) { return row.name < wanted; });
  return found != rows.end() && found->name == name && (with_extras || !found->extra) ? &*found : nullptr;
}

std::span<const std::string_view> builtin_names(BuiltinKind kind) {
  switch (kind) {
    case BuiltinKind::Filter: return kFilterNames;
    case BuiltinKind::Test: return kTestNames;
    case BuiltinKind::Function: return kFunctionNames;
  }
  CW_UNREACHABLE("there is no such kind of builtin");
}

Value call_builtin(Runtime& runtime, const Builtin& builtin, const CallArguments& call) {
  if (holds_error(call) || !runtime.step(1 + Runtime::work(call))) return Value::error();
  const std::size_t operands = builtin.kind == BuiltinKind::Function ? 0 : 1;
  Binding binding;
  if (!bind(runtime, {builtin.name, static_cast<const Row&>(builtin).parsed, operands}, call, binding))
    return Value::error();
  if (operands == 1 && builtin.operand == Operand::Defined && !runtime.usable(binding.values[0])) return Value::error();
  const Watch watch(runtime);
  if (builtin.kind == BuiltinKind::Test) runtime.look_at_truth(binding.values[0]);
  const Value result = builtin.function(runtime, binding.arguments());
  return watch.result(with_lineage(runtime, builtin.provenance, result, call));
}

namespace {

// A builtin function as a value: `{% set r = range %}`.
class FunctionObject final : public Object {
 public:
  explicit FunctionObject(const Builtin& builtin) : builtin_(builtin) {}
  std::string_view type_name() const override { return is_type() ? "type" : "function"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments& arguments) override {
    return call_builtin(runtime, builtin_, arguments);
  }
  void repr(Runtime&, std::string& out) override {
    out += is_type() ? "<class '" : "<function ";
    const std::string_view name = builtin_.name;
    if (name == "cycler") {
      out += "jinja2.utils.Cycler";
    } else if (name == "joiner") {
      out += "jinja2.utils.Joiner";
    } else if (name == "namespace") {
      out += "jinja2.utils.Namespace";
    } else {
      out += name;
    }
    out += is_type() ? "'>" : ">";
  }
  bool equals(Runtime&, const Value& other) override {
    if (!other.is(Kind::Object)) return false;
    const auto* function = dynamic_cast<const FunctionObject*>(other.object_rep());
    return function != nullptr && &function->builtin_ == &builtin_;
  }

 private:
  bool is_type() const { return builtin_.name != "lipsum"; }

  const Builtin& builtin_;
};

}  // namespace

Value builtin_function_value(Runtime& runtime, const Builtin& builtin) {
  return Value::object(runtime.arena().make<FunctionObject>(builtin));
}

}  // namespace capwright::jinja
