// str.format(): `{0.name[key]!r:>10}`, automatic numbers, fields inside specs.
#include "diag/catalog/template_operations.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/builtins/str_format.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

constexpr int kDeepestField = 2;  // a field's spec may contain fields, but not deeper ones

class FieldFormatter {
 public:
  FieldFormatter(Runtime& runtime, const FormatArguments& arguments, bool escapes)
      : runtime_(runtime), arguments_(arguments), escapes_(escapes) {}

  // Appends `format` with its fields filled in; false if an error is reported.
  bool expand(std::string_view format, int depth, std::string& out) {
    if (depth > kDeepestField) return fault("Max string recursion exceeded");
    for (std::size_t at = 0; at < format.size();) {
      const std::size_t brace = format.find_first_of("{}", at);
      out += format.substr(at, brace - at);
      if (brace == std::string_view::npos) return true;
      const bool doubled = brace + 1 < format.size() && format[brace + 1] == format[brace];
      if (doubled) {
        out += format[brace];
        at = brace + 2;
        continue;
      }
      if (format[brace] == '}') return fault("Single '}' encountered in format string");
      const std::size_t end = field_end(format, brace + 1);
      if (end == std::string_view::npos) {
        return fault(brace + 1 == format.size() ? "Single '{' encountered in format string"
                                                : "expected '}' before end of string");
      }
      if (!field(format.substr(brace + 1, end - brace - 1), depth, out)) return false;
      if (!runtime_.room_for_text(out.size()) || !runtime_.step()) return false;
      at = end + 1;
    }
    return true;
  }

 private:
  bool fault(std::string message) {
    wrong_value(runtime_, std::move(message));
    return false;
  }

  // The offset of the brace that closes the field at `at`.
  static std::size_t field_end(std::string_view format, std::size_t at) {
    int depth = 1;
    bool in_name = true, in_brackets = false;
    for (; at < format.size(); ++at) {
      const char c = format[at];
      if (in_name && in_brackets) {
        in_brackets = c != ']';
      } else if (in_name && c == '[') {
        in_brackets = true;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        return at;
      } else if (c == ':' || c == '!') {
        in_name = false;
      }
    }
    return std::string_view::npos;
  }

  bool field(std::string_view text, int depth, std::string& out) {
    const std::size_t name_end = name_size(text);
    const std::string_view name = text.substr(0, name_end);
    if (name.find('{') != std::string_view::npos) return fault("unexpected '{' in field name");
    std::string_view rest = text.substr(name_end);
    char conversion = '\0';
    if (rest.starts_with('!')) {
      if (rest.size() < 2) return fault("end of string while looking for conversion specifier");
      conversion = rest[1];
      rest.remove_prefix(2);
      if (!rest.empty() && rest[0] != ':') return fault("expected ':' after conversion specifier");
    }
    const auto value = look_up(name);
    if (!value) return false;
    std::string spec;
    if (!rest.empty() && !expand(rest.substr(1), depth + 1, spec)) return false;
    return write(*value, conversion, spec, out);
  }

  static std::size_t name_size(std::string_view text) {
    bool in_brackets = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (in_brackets) {
        in_brackets = text[i] != ']';
      } else if (text[i] == '[') {
        in_brackets = true;
      } else if (text[i] == ':' || text[i] == '!') {
        return i;
      }
    }
    return text.size();
  }

  bool write(const Value& value, char conversion, std::string_view spec, std::string& out) {
    Value shown = value;
    const auto failures = runtime_.failures();
    switch (conversion) {
      case '\0': break;
      case 'r': shown = runtime_.string(runtime_.repr(value)); break;
      case 's': shown = runtime_.string(runtime_.str(value)); break;
      case 'a': shown = runtime_.string(ascii_repr(runtime_, value)); break;
      default: return fault(std::string("Unknown conversion specifier ") + conversion);
    }
    if (runtime_.failures() != failures) return false;
    const bool markup = escapes_ && shown.is_markup();
    if (markup && !spec.empty()) return fault("Unsupported format specification for Markup.");
    const auto text = format_value(runtime_, shown, spec);
    if (!text) return false;
    if (escapes_ && !markup) {
      out += runtime_.escape(runtime_.string(*text)).text();
    } else {
      out += *text;
    }
    return true;
  }

  // The value of `first.attribute[item]…`; empty if an error is reported.
  std::optional<Value> look_up(std::string_view name) {
    const std::size_t first_end = std::min(name.find_first_of(".["), name.size());
    std::optional<Value> value = first(name.substr(0, first_end));
    for (std::size_t at = first_end; value && at < name.size();) {
      const bool is_item = name[at] == '[';
      const std::size_t end = is_item ? name.find(']', at) : std::min(name.find_first_of(".[", at + 1), name.size());
      if (end == std::string_view::npos) {
        fault("Missing ']' in format string");
        return std::nullopt;
      }
      const std::string_view part = name.substr(at + 1, end - at - 1);
      if (part.empty()) {
        fault("Empty attribute in format string");
        return std::nullopt;
      }
      value = is_item ? item(*value, part) : attribute(*value, part);
      at = end + (is_item ? 1 : 0);
      if (is_item && at < name.size() && name[at] != '.' && name[at] != '[') {
        fault("Only '.' or '[' may follow ']' in format field specifier");
        return std::nullopt;
      }
    }
    return value;
  }

  // The number, if a part of a field consists of digits.
  static std::optional<std::uint64_t> index(std::string_view part) {
    if (part.empty() || part.size() > 18 || part.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    return static_cast<std::uint64_t>(*python::parse_int(part)->value());
  }

  std::optional<Value> first(std::string_view name) {
    if (arguments_.mapping) {
      if (const Value* found = runtime_.find(*arguments_.mapping, runtime_.string(name))) return *found;
      return missing(runtime_.repr(runtime_.string(name)));
    }
    const auto number = index(name);
    if (name.empty() || number) return positional(number);
    for (const KeywordArgument& keyword : arguments_.keywords) {
      if (keyword.name.text == name) return keyword.value;
    }
    return missing(python::string_repr(name));
  }

  std::optional<Value> positional(std::optional<std::uint64_t> number) {
    const Numbering wanted = number ? Numbering::Manual : Numbering::Automatic;
    if (numbering_ != Numbering::None && numbering_ != wanted) {
      fault(number ? "cannot switch from automatic field numbering to manual field specification"
                   : "cannot switch from manual field specification to automatic field numbering");
      return std::nullopt;
    }
    numbering_ = wanted;
    const std::uint64_t index = number ? *number : next_++;
    if (index < arguments_.positional.size()) return arguments_.positional[index];
    return missing("Replacement index " + std::to_string(index) + " out of range for positional args tuple");
  }

  std::optional<Value> missing(std::string message) {
    runtime_.fail_as(diag::missing_item.info, std::move(message));
    return std::nullopt;
  }

  std::optional<Value> item(const Value& owner, std::string_view part) {
    const auto number = index(part);
    const Value found =
        runtime_.item(owner, number ? Value::integer(static_cast<std::int64_t>(*number)) : runtime_.string(part));
    if (!found.is(Kind::Undefined)) return found;
    return missing(python::string_repr(part));
  }

  std::optional<Value> attribute(const Value& owner, std::string_view part) {
    const Identifier name{part, hash_text(part), runtime_.here};
    auto found = owner.is(Kind::Object) ? owner.object_rep()->attribute(runtime_, name)
                                        : builtin_attribute(runtime_, owner, name);
    if (found || !runtime_.usable(owner)) return found;
    runtime_.fail_as(diag::missing_attribute.info, "'" + std::string(runtime_.type_name(owner)) +
                                                       "' object has no attribute '" + std::string(part) + "'");
    return std::nullopt;
  }

  enum class Numbering : std::uint8_t { None, Automatic, Manual };
  Runtime& runtime_;
  const FormatArguments& arguments_;
  bool escapes_;
  Numbering numbering_ = Numbering::None;
  std::uint64_t next_ = 0;
};

}  // namespace

Value format_fields(Runtime& runtime, const Value& format, const FormatArguments& arguments) {
  std::string out;
  if (!FieldFormatter(runtime, arguments, format.is_markup()).expand(format.text(), 1, out)) return Value::error();
  return text_result(runtime, out, format.is_markup());
}

Value text_format(Runtime& runtime, const BoundArguments& arguments) {
  return format_fields(runtime, arguments[0], {arguments.rest, arguments.rest_keywords, std::nullopt});
}

Value text_format_map(Runtime& runtime, const BoundArguments& arguments) {
  if (!arguments[1].is(Kind::Map)) {
    if (!runtime.usable(arguments[1])) return Value::error();
    return wrong_type(runtime, "'" + std::string(runtime.type_name(arguments[1])) + "' object is not a mapping");
  }
  return format_fields(runtime, arguments[0], {{}, {}, arguments[1]});
}

}  // namespace capwright::jinja
