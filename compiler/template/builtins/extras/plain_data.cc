// Walks over values of unlimited nesting: the depth is bounded.
#include <algorithm>

#include "diag/catalog/limits.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja::extras {
namespace {

class DataWalk {
 public:
  DataWalk(Runtime& runtime, std::string_view filter) : runtime_(runtime), filter_(filter) {}

  // Whether all of `value` is already data, which is the usual case: then nothing is copied.
  bool is_data(const Value& value, std::uint32_t depth) {
    // The writer reports a value that is too deep.
    if (depth > runtime_.stage.limits.depth || !runtime_.step()) return true;
    switch (value.kind()) {
      case Kind::List:
        return std::all_of(value.items().begin(), value.items().end(),
                           [&](const Value& item) { return is_data(item, depth + 1); });
      case Kind::Map:
        return std::all_of(value.entries().begin(), value.entries().end(), [&](const Entry& entry) {
          return is_data(entry.key, depth + 1) && is_data(entry.value, depth + 1);
        });
      default: return value.kind() > Kind::Undefined && !value.is(Kind::Object);
    }
  }

  Value data(const Value& value, std::uint32_t depth) {
    if (depth > runtime_.stage.limits.depth) {
      return runtime_.fail(diag::nested_too_deep, "values", runtime_.stage.limits.depth);
    }
    if (!runtime_.usable(value)) return Value::error();
    if (value.is(Kind::Map)) return dict(value, depth);
    const bool is_lazy = value.is(Kind::Object) && runtime_.iterable(value);
    if (value.is(Kind::Object) && !is_lazy) return needs(runtime_, filter_, "data", value);
    return is_lazy || value.is(Kind::List) ? list(value, depth) : value;
  }

 private:
  Value list(const Value& value, std::uint32_t depth) {
    const auto items = items_of(runtime_, value);
    if (!items) return Value::error();
    ListBuilder result(runtime_);
    for (const Value& item : *items) {
      const Value plain = data(item, depth + 1);
      if (plain.is_error() || !result.add(plain)) return Value::error();
    }
    return result.list().with_origin(value.origin());
  }

  Value dict(const Value& value, std::uint32_t depth) {
    const Value result = runtime_.dict();
    for (const Entry& entry : value.entries()) {
      const Value key = data(entry.key, depth + 1);
      const Value plain = key.is_error() ? key : data(entry.value, depth + 1);
      if (plain.is_error() || !runtime_.step() || !runtime_.set_item(result, key, plain)) return Value::error();
    }
    return result.with_origin(value.origin());
  }

  Runtime& runtime_;
  std::string_view filter_;
};

}  // namespace

Value plain_data(Runtime& runtime, std::string_view filter, const Value& value) {
  DataWalk walk(runtime, filter);
  const bool is_data = walk.is_data(value, 0);
  if (runtime.stopped()) return Value::error();
  return is_data ? value : walk.data(value, 0);
}

Value tainted_copy(Runtime& runtime, const Value& value) {
  Value copy = value;
  if (value.is(Kind::List)) {
    copy = runtime.list({});
    for (const Value& item : value.items()) {
      if (!runtime.append(copy, tainted_copy(runtime, item))) return Value::error();
    }
  } else if (value.is(Kind::Map)) {
    copy = runtime.dict();
    for (const Entry& entry : value.entries()) {
      const Value item = tainted_copy(runtime, entry.value);
      if (!runtime.set_item(copy, entry.key.with_taint(), item)) return Value::error();
    }
  }
  return copy.is_error() ? copy : copy.with_origin(value.origin()).with_taint();
}

}  // namespace capwright::jinja::extras
