// The `%` operator of str and Markup: `%(name)-10s`, `%05.1f`, `%x` …
#include <cmath>

#include "diag/catalog/template_operations.h"
#include "template/builtins/builtin.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/builtins/str_format.h"
#include "text/python_format.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// One conversion: %[(key)][flags][width][.precision]type
struct Conversion {
  bool left = false, plus = false, space = false, alternate = false, zero = false;
  std::optional<std::string_view> key;
  std::uint32_t width = 0;
  std::optional<std::uint32_t> precision;
  char32_t type = 0;
};

class PercentFormatter {
 public:
  PercentFormatter(Runtime& runtime, std::string_view format, const Value& arguments, bool escapes)
      : runtime_(runtime), format_(format), arguments_(arguments), escapes_(escapes) {}

  bool expand(std::string& out) {
    while (at_ < format_.size()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      out += format_.substr(at_, percent - at_);
      at_ = percent + 1;
      if (percent == format_.size()) break;
      Conversion conversion;
      if (!read(conversion)) return false;
      if (conversion.type == '%') {
        out += '%';
      } else if (!convert(conversion, out)) {
        return false;
      }
      if (!runtime_.room_for_text(out.size()) || !runtime_.step()) return false;
    }
    if (has_items(arguments_) || used_ >= argument_count()) return true;
    return type_fault("not all arguments converted during string formatting");
  }

 private:
  bool type_fault(std::string message) {
    wrong_type(runtime_, std::move(message));
    return false;
  }
  bool value_fault(std::string message) {
    wrong_value(runtime_, std::move(message));
    return false;
  }

  // Whether Python treats the operand as a mapping, whose items need not all be used: any value with `[]`.
  static bool has_items(const Value& value) {
    if (value.is(Kind::List)) return !value.is_tuple();
    return value.is(Kind::Map) || value.is(Kind::Undefined) ||
           (value.is(Kind::Object) && value.object_rep()->type_name() == "range");
  }
  std::size_t argument_count() const {
    return arguments_.is(Kind::List) && arguments_.is_tuple() ? arguments_.items().size() : 1;
  }
  std::optional<Value> next_argument() {
    if (used_ >= argument_count()) {
      type_fault("not enough arguments for format string");
      return std::nullopt;
    }
    if (arguments_.is(Kind::List) && arguments_.is_tuple()) return arguments_.items()[used_++];
    ++used_;
    return arguments_;
  }

  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  bool read(Conversion& out) {
    if (peek() == '(' && !read_key(out)) return false;
    for (bool more = true; more && at_ < format_.size();) {
      switch (peek()) {
        case '-': out.left = true; break;
        case '+': out.plus = true; break;
        case ' ': out.space = true; break;
        case '#': out.alternate = true; break;
        case '0': out.zero = true; break;
        default: more = false; continue;
      }
      ++at_;
    }
    const auto width = read_size("width");
    if (!width) return false;
    if (*width < 0) out.left = true;
    out.width = static_cast<std::uint32_t>(std::llabs(*width));
    if (peek() == '.') {
      ++at_;
      const auto precision = read_size("precision");
      if (!precision) return false;
      out.precision = static_cast<std::uint32_t>(std::max<std::int64_t>(*precision, 0));
    }
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
    if (at_ >= format_.size()) return value_fault("incomplete format");
    const utf8::CodePoint point = utf8::decode(format_, at_);
    at_ += point.size;
    out.type = point.value;
    return true;
  }

  bool read_key(Conversion& out) {
    const std::size_t begin = ++at_;
    for (int depth = 1; at_ < format_.size(); ++at_) {
      if (format_[at_] == '(') ++depth;
      else if (format_[at_] == ')') --depth;
      if (depth == 0) break;
    }
    if (at_ >= format_.size()) return value_fault("incomplete format key");
    out.key = format_.substr(begin, at_++ - begin);
    return true;
  }

  // Digits or `*`; 0 if there are none. Empty if an error is reported.
  std::optional<std::int64_t> read_size(std::string_view what) {
    std::int64_t size = 0;
    if (peek() == '*') {
      ++at_;
      const auto argument = next_argument();
      if (!argument) return std::nullopt;
      if (!argument->is(Kind::Int) && !argument->is(Kind::Bool)) {
        type_fault("* wants int");
        return std::nullopt;
      }
      size = argument->as_int();
    } else {
      for (; peek() >= '0' && peek() <= '9'; ++at_)
        size = std::min<std::int64_t>(size * 10 + (peek() - '0'), kTooLarge);
    }
    if (std::llabs(size) >= kTooLarge) {
      value_fault(std::string(what) + " too big");
      return std::nullopt;
    }
    if (!runtime_.room_for_text(static_cast<std::uint64_t>(std::llabs(size)))) return std::nullopt;
    return size;
  }

  std::optional<Value> argument(const Conversion& conversion) {
    if (!conversion.key) return next_argument();
    if (!arguments_.is(Kind::Map)) {
      type_fault("format requires a mapping");
      return std::nullopt;
    }
    const Value key = runtime_.string(*conversion.key);
    if (const Value* found = runtime_.find(arguments_, key)) {
      used_ = 1;  // Python can't switch from keys back to positions
      return *found;
    }
    runtime_.fail_as(diag::missing_item.info, runtime_.repr(key));
    return std::nullopt;
  }

  bool convert(const Conversion& conversion, std::string& out) {
    const auto value = argument(conversion);
    if (!value || value->is_error()) return false;
    switch (conversion.type) {
      case 's':
      case 'r':
      case 'a': return text(conversion, *value, out);
      case 'c': return character(conversion, *value, out);
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X': return whole(conversion, *value, out);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return floating(conversion, *value, out);
      default: break;
    }
    std::string shown;
    utf8::append(shown, conversion.type);
    return value_fault("unsupported format character '" + shown + "' (0x" +
                       python::integer_digits(conversion.type, 'x') + ") at index " +
                       std::to_string(utf8::length(format_.substr(0, at_)) - 1));
  }

  bool text(const Conversion& conversion, const Value& value, std::string& out) {
    const auto failures = runtime_.failures();
    if (!runtime_.step(Runtime::work(value))) return false;  // even if only a part of it is used
    std::string text;
    if (conversion.type == 's') text = runtime_.str(value);
    else text = conversion.type == 'r' ? runtime_.repr(value) : ascii_repr(runtime_, value);
    if (runtime_.failures() != failures) return false;
    const bool safe = conversion.type == 's' && value.is(Kind::String) && value.is_markup();
    if (escapes_ && !safe) text = runtime_.escape(runtime_.string(text)).text();
    std::string_view shown = text;
    if (conversion.precision) shown = utf8::slice(shown, 0, *conversion.precision);
    pad(conversion, {}, shown, ' ', out);
    return true;
  }

  bool character(const Conversion& conversion, const Value& value, std::string& out) {
    std::string shown;
    if (value.is(Kind::Int) || value.is(Kind::Bool)) {
      if (value.as_int() < 0 || value.as_int() > 0x10FFFF) return value_fault("%c arg not in range(0x110000)");
      utf8::append(shown, static_cast<char32_t>(value.as_int()));
    } else if (value.is(Kind::String) && utf8::length(value.text()) == 1) {
      shown = value.text();
    }
    if (shown.empty() || escapes_) return type_fault("%c requires int or char");
    pad(conversion, {}, shown, ' ', out);
    return true;
  }

  bool whole(const Conversion& conversion, const Value& value, std::string& out) {
    const char type = static_cast<char>(conversion.type);
    const bool decimal = type == 'd' || type == 'i' || type == 'u';
    if (value.is(Kind::Undefined)) {
      runtime_.fail_undefined(value);
      return false;
    }
    std::optional<BigInteger> number = runtime_.whole(value);
    if (!number && value.is(Kind::Float) && decimal) {
      const double real = value.as_float();
      if (std::isnan(real)) return value_fault("cannot convert float NaN to integer");
      if (std::isinf(real)) {
        runtime_.fail(diag::number_too_large, "cannot convert float infinity to integer");
        return false;
      }
      number = BigInteger::truncated(real);
    }
    if (!number) {
      return type_fault(
          std::string("%") + type +
          (decimal ? " format: a real number is required, not " : " format: an integer is required, not ") +
          std::string(runtime_.type_name(value)));
    }
    if (!runtime_.room_for_text(number->bits())) return false;
    auto digits = whole_digits(runtime_, *number, decimal ? 'd' : type);
    if (!digits) return false;
    const std::uint32_t least = conversion.precision.value_or(0);
    if (digits->size() < least) digits->insert(0, least - digits->size(), '0');
    std::string head = sign(conversion, number->is_negative());
    if (conversion.alternate && !decimal) head.append("0").append(1, type);
    pad(conversion, head, *digits, conversion.zero ? '0' : ' ', out);
    return true;
  }

  bool floating(const Conversion& conversion, const Value& value, std::string& out) {
    if (value.is(Kind::Undefined)) {
      runtime_.fail_undefined(value);
      return false;
    }
    const auto failures = runtime_.failures();
    const auto number = number_of(runtime_, value);
    if (runtime_.failures() != failures) return false;
    if (!number) return type_fault("must be real number, not " + std::string(runtime_.type_name(value)));
    python::FloatStyle style;
    style.type = static_cast<char>(conversion.type);
    style.precision = conversion.precision.value_or(6);
    style.alternate = conversion.alternate;
    const std::string digits = python::float_digits(std::fabs(*number), style);
    const bool negative = std::signbit(*number) && !std::isnan(*number);
    pad(conversion, sign(conversion, negative), digits, conversion.zero ? '0' : ' ', out);
    return true;
  }

  static std::string sign(const Conversion& conversion, bool negative) {
    if (negative) return "-";
    if (conversion.plus) return "+";
    if (conversion.space) return " ";
    return "";
  }

  // Zeros go between `head` (sign, base prefix) and the digits, spaces before both.
  static void pad(const Conversion& conversion, std::string_view head, std::string_view text, char fill,
                  std::string& out) {
    const std::size_t size = head.size() + utf8::length(text);
    const std::size_t padding = conversion.width > size ? conversion.width - size : 0;
    if (!conversion.left && fill == ' ') out.append(padding, ' ');
    out += head;
    if (!conversion.left && fill == '0') out.append(padding, '0');
    out += text;
    if (conversion.left) out.append(padding, ' ');
  }

  static constexpr std::int64_t kTooLarge = std::int64_t{1} << 31;
  Runtime& runtime_;
  std::string_view format_;
  const Value& arguments_;
  bool escapes_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

Value format_percent(Runtime& runtime, const Value& format, const Value& arguments) {
  std::string out;
  if (!PercentFormatter(runtime, format.text(), arguments, format.is_markup()).expand(out)) return Value::error();
  const Value operands[] = {format, arguments};
  return with_lineage(runtime, Provenance::Opaque, text_result(runtime, out, format.is_markup()), {operands, {}});
}

}  // namespace capwright::jinja
