// Calls values, and filters and tests by name (`map("upper")`).
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/builtin.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {

Value Runtime::call(const Value& callee, const CallArguments& arguments) {
  if (callee.is_error()) return callee;
  if (callee.is(Kind::Undefined)) return fail_undefined(callee);
  if (callee.is(Kind::Object)) {
    if (!step()) return Value::error();
    const Value result = callee.object_rep()->call(*this, arguments);
    return callee.tainted() ? decided(result, callee.origin()) : result;
  }
  return fail_as(diag::wrong_type.info, fmt::format("'{}' object is not callable", type_name(callee)));
}

Value Runtime::call_filter(std::string_view name, const CallArguments& arguments) {
  const Builtin* filter = find_builtin(BuiltinKind::Filter, name, options.extras);
  if (filter == nullptr) return fail(diag::unknown_filter_reached, name);
  return call_builtin(*this, *filter, arguments);
}

bool Runtime::call_test(std::string_view name, const CallArguments& arguments) {
  const Builtin* test = find_builtin(BuiltinKind::Test, name, options.extras);
  if (test != nullptr) {
    const Value outcome = call_builtin(*this, *test, arguments);
    look_at_truth(outcome);
    return truth(outcome);
  }
  fail(diag::unknown_test_reached, name);
  return false;
}

}  // namespace capwright::jinja
