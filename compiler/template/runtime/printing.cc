// Python's str() and repr().
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/check.h"
#include "diag/catalog/template_operations.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

void append_integer(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

// The longest number that Python converts to text (sys.set_int_max_str_digits).
constexpr std::size_t kMostDigits = 4300;

}  // namespace

// repr() of containers: elements between brackets, and "..." where a container contains itself.
class ContainerPrinter {
 public:
  ContainerPrinter(Runtime& runtime, std::string& out) : runtime_(runtime), out_(out) {}

  void print(const Value& value, std::vector<const void*>& printing) {
    const bool is_map = value.is(Kind::Map);
    const char* brackets = "[]";
    if (is_map) brackets = "{}";
    else if (value.is_tuple()) brackets = "()";
    const void* identity = is_map ? static_cast<const void*>(value.map_rep()) : value.list_rep();
    out_.push_back(brackets[0]);
    if (std::find(printing.begin(), printing.end(), identity) != printing.end()) {
      out_.append("...");
    } else {
      printing.push_back(identity);
      is_map ? print_entries(*value.map_rep()) : print_items(*value.list_rep(), value.is_tuple());
      printing.pop_back();
    }
    out_.push_back(brackets[1]);
  }

 private:
  bool next(std::uint32_t index) {
    if (index != 0) out_.append(", ");
    return runtime_.step() && runtime_.room_for_text(out_.size());
  }
  void print_items(const List& list, bool is_tuple) {
    for (std::uint32_t i = 0; i < list.size && next(i); ++i) runtime_.append_repr(out_, list.items[i]);
    if (is_tuple && list.size == 1) out_.push_back(',');
  }
  void print_entries(const Map& map) {
    for (std::uint32_t i = 0; i < map.size && next(i); ++i) {
      runtime_.append_repr(out_, map.entries[i].key);
      out_.append(": ");
      runtime_.append_repr(out_, map.entries[i].value);
    }
  }

  Runtime& runtime_;
  std::string& out_;
};

std::string Runtime::str(const Value& value) {
  std::string out;
  append_str(out, value);
  return out;
}

std::string Runtime::repr(const Value& value) {
  std::string out;
  append_repr(out, value);
  return out;
}

void Runtime::append_str(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::String: out.append(value.text()); return;
    case Kind::Undefined:
      if (value.undefined_info()->mode == UndefinedMode::Strict) fail_undefined(value);
      if (value.undefined_info()->mode == UndefinedMode::Debug) out.append(debug_text(*this, *value.undefined_info()));
      return;
    case Kind::Object: {
      const Nesting level(*this, "values");
      if (level.fits()) value.object_rep()->print(*this, out);
      return;
    }
    default: append_repr(out, value);
  }
}

void Runtime::append_repr(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::Error: return;
    case Kind::Undefined: out.append("Undefined"); return;
    case Kind::Null: out.append("None"); return;
    case Kind::Bool: out.append(value.as_bool() ? "True" : "False"); return;
    case Kind::Int: append_integer(out, value.as_int()); return;
    case Kind::Float: out.append(python::float_repr(value.as_float())); return;
    case Kind::String:
      if (value.is_markup()) out.append("Markup(");
      python::append_string_repr(out, value.text());
      if (value.is_markup()) out.push_back(')');
      return;
    case Kind::List:
    case Kind::Map: {
      const Nesting level(*this, "values");
      if (level.fits()) ContainerPrinter(*this, out).print(value, printing_);
      return;
    }
    case Kind::Object: {
      const Nesting level(*this, "values");
      if (level.fits()) value.object_rep()->repr(*this, out);
      return;
    }
  }
}

std::optional<std::string> Runtime::decimal(const BigInteger& number) {
  constexpr std::uint64_t kBitsOfMostDigits = 14285;  // 4300 * log2(10), rounded up
  if (number.bits() <= kBitsOfMostDigits) {
    if (!step_whole(number, number, 4)) return std::nullopt;
    std::string digits = number.to_string();
    if (digits.size() <= kMostDigits + (number.is_negative() ? 1 : 0)) return digits;
  }
  fail_as(diag::wrong_value.info,
          fmt::format("Exceeds the limit ({} digits) for integer string conversion", kMostDigits));
  return std::nullopt;
}

std::string_view Runtime::type_name(const Value& value) {
  switch (value.kind()) {
    case Kind::Error: return "error";
    case Kind::Undefined: return class_name(value.undefined_info()->mode);
    case Kind::Null: return "NoneType";
    case Kind::Bool: return "bool";
    case Kind::Int: return "int";
    case Kind::Float: return "float";
    case Kind::String: return value.is_markup() ? "Markup" : "str";
    case Kind::List: return value.is_tuple() ? "tuple" : "list";
    case Kind::Map: return "dict";
    case Kind::Object: return value.object_rep()->type_name();
  }
  CW_UNREACHABLE("a Value has no such kind");
}

}  // namespace capwright::jinja
