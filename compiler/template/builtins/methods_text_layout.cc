// str methods that pad, replace, translate and encode.
#include <algorithm>

#include "template/builtins/bytes.h"
#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// The padding before and after a text.
struct Padding {
  std::size_t left = 0;
  std::size_t right = 0;
};

Value padded(Runtime& runtime, const Value& self, std::string_view fill, Padding padding) {
  const std::uint64_t size = self.text().size() + std::uint64_t{fill.size()} * (padding.left + padding.right);
  if (!runtime.room_for_text(size)) return Value::error();
  std::string out;
  out.reserve(size);
  for (std::size_t i = 0; i < padding.left; ++i) out += fill;
  out += self.text();
  for (std::size_t i = 0; i < padding.right; ++i) out += fill;
  return text_result(runtime, out, self.is_markup());
}

// The number of characters by which `self` is shorter than `width`; empty if `width` isn't a whole number (reported) or
// is far too large.
std::optional<std::size_t> lacking(Runtime& runtime, const Value& self, const Value& width) {
  const auto wanted = index_argument(runtime, width);
  if (!wanted) return std::nullopt;
  const auto length = static_cast<std::int64_t>(utf8::length(self.text()));
  if (*wanted <= length) return 0;
  if (!runtime.room_for_text(static_cast<std::uint64_t>(*wanted))) return std::nullopt;
  return static_cast<std::size_t>(*wanted - length);
}

template <class Share>
Value justified(Runtime& runtime, const BoundArguments& arguments, Share share) {
  const Value& fill = arguments[2];
  if (!fill.is(Kind::String)) {
    if (!runtime.usable(fill)) return Value::error();
    return wrong_type(runtime,
                      "The fill character must be a unicode character, not " + std::string(runtime.type_name(fill)));
  }
  const std::string escaped =
      arguments[0].is_markup() ? std::string(runtime.escape(fill).text()) : std::string(fill.text());
  if (utf8::length(escaped) != 1) return wrong_type(runtime, "The fill character must be exactly one character long");
  const auto lacks = lacking(runtime, arguments[0], arguments[1]);
  if (!lacks) return Value::error();
  return padded(runtime, arguments[0], escaped, share(*lacks));
}

bool is_utf8_name(std::string_view encoding) {
  std::string name;
  for (const char c : encoding) {
    if (c != '-' && c != '_') name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  return name == "utf8" || name == "ascii";
}

// The code point of a one-character text or a number in a translation table; empty for other keys.
std::optional<std::int64_t> table_key(const Value& key) {
  if (key.is(Kind::Int)) return key.as_int();
  if (!key.is(Kind::String) || key.text().empty()) return std::nullopt;
  const utf8::CodePoint point = utf8::decode(key.text(), 0);
  if (point.size != key.text().size()) return std::nullopt;
  return static_cast<std::int64_t>(point.value);
}

Value table_of_pairs(Runtime& runtime, const BoundArguments& arguments) {
  for (const std::size_t i : {1, 2}) {
    if (!arguments[i].is(Kind::String)) return wrong_type(runtime, "the first two maketrans arguments must be str");
  }
  const std::u32string from = utf8::decode_all(arguments[1].text()), to = utf8::decode_all(arguments[2].text());
  if (from.size() != to.size()) {
    return wrong_value(runtime, "the first two maketrans arguments must have equal length");
  }
  const Value table = runtime.dict();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!runtime.set_item(table, Value::integer(from[i]), Value::integer(to[i]))) return Value::error();
  }
  if (!arguments[3].is(Kind::String)) return table;
  for (const char32_t removed : utf8::decode_all(arguments[3].text())) {
    if (!runtime.set_item(table, Value::integer(removed), Value::null())) return Value::error();
  }
  return table;
}

}  // namespace

Value text_center(Runtime& runtime, const BoundArguments& arguments) {
  const std::size_t odd_width = arguments[1].is(Kind::Int) ? static_cast<std::size_t>(arguments[1].as_int() & 1) : 1;
  return justified(runtime, arguments, [&](std::size_t lacks) {
    const std::size_t left = lacks / 2 + (lacks & odd_width & 1);
    return Padding{left, lacks - left};
  });
}
Value text_ljust(Runtime& runtime, const BoundArguments& arguments) {
  return justified(runtime, arguments, [](std::size_t lacks) { return Padding{0, lacks}; });
}
Value text_rjust(Runtime& runtime, const BoundArguments& arguments) {
  return justified(runtime, arguments, [](std::size_t lacks) { return Padding{lacks, 0}; });
}

Value text_zfill(Runtime& runtime, const BoundArguments& arguments) {
  const Value& self = arguments[0];
  const auto lacks = lacking(runtime, self, arguments[1]);
  if (!lacks) return Value::error();
  const std::string_view text = self.text();
  const bool sign = text.starts_with('+') || text.starts_with('-');
  std::string out(text.substr(0, sign ? 1 : 0));
  out.append(*lacks, '0').append(text.substr(sign ? 1 : 0));
  return text_result(runtime, out, self.is_markup());
}

Value text_expandtabs(Runtime& runtime, const BoundArguments& arguments) {
  const auto size = index_argument(runtime, arguments[1]);
  if (!size) return Value::error();
  const std::string_view text = arguments[0].text();
  const std::uint64_t tab = *size <= 0 ? 0 : static_cast<std::uint64_t>(*size);
  if (!runtime.room_for_text(tab)) return Value::error();
  std::string out;
  std::uint64_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    if (point.value == '\t') {
      const std::uint64_t spaces = tab == 0 ? 0 : tab - column % tab;
      if (!runtime.room_for_text(out.size() + spaces)) return Value::error();
      out.append(spaces, ' ');
      column += spaces;
    } else {
      out += text.substr(i, point.size);
      column = point.value == '\n' || point.value == '\r' ? 0 : column + 1;
    }
    i += point.size;
  }
  return text_result(runtime, out, arguments[0].is_markup());
}

Value text_replace(Runtime& runtime, const BoundArguments& arguments) {
  const auto from = text_argument(runtime, arguments[1], "replace() argument 1");
  if (!from || !text_argument(runtime, arguments[2], "replace() argument 2")) return Value::error();
  const auto count = index_argument(runtime, arguments[3]);
  if (!count) return Value::error();
  const Value to = arguments[0].is_markup() ? runtime.escape(arguments[2]) : arguments[2];
  return replace_text(runtime, arguments[0], *from, to.text(), *count).as_markup(arguments[0].is_markup());
}

Value text_maketrans(Runtime& runtime, const BoundArguments& arguments) {
  if (arguments.given(2)) return table_of_pairs(runtime, arguments);
  if (!arguments[1].is(Kind::Map)) {
    return wrong_type(runtime, "if you give only one argument to maketrans it must be a dict");
  }
  const Value table = runtime.dict();
  for (std::size_t i = 0; i < arguments[1].entries().size(); ++i) {
    const Entry entry = arguments[1].entries()[i];
    const auto key = table_key(entry.key);
    if (!key) return wrong_value(runtime, "string keys in translate table must be of length 1");
    if (!runtime.set_item(table, Value::integer(*key), entry.value)) return Value::error();
  }
  return table;
}

Value text_translate(Runtime& runtime, const BoundArguments& arguments) {
  const Value& table = arguments[1];
  if (!table.is(Kind::Map)) return wrong_type(runtime, "a translation table is a mapping");
  const std::string_view text = arguments[0].text();
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    const Value* mapped = runtime.find(table, Value::integer(point.value));
    if (mapped == nullptr) {
      out += text.substr(i, point.size);
    } else if (mapped->is(Kind::String)) {
      out += mapped->text();
    } else if (mapped->is(Kind::Int) && mapped->as_int() >= 0 && mapped->as_int() < 0x110000) {
      utf8::append(out, static_cast<char32_t>(mapped->as_int()));
    } else if (!mapped->is(Kind::Null)) {
      return wrong_type(runtime, "character mapping must return integer, None or str");
    }
    if (!runtime.room_for_text(out.size())) return Value::error();
    i += point.size;
  }
  return text_result(runtime, out, arguments[0].is_markup());
}

Value text_encode(Runtime& runtime, const BoundArguments& arguments) {
  const auto encoding = text_argument(runtime, arguments[1], "encode() argument 'encoding'");
  if (!encoding) return Value::error();
  if (!is_utf8_name(*encoding)) return wrong_value(runtime, "unknown encoding: " + std::string(*encoding));
  return make_bytes(runtime, arguments[0].text());
}

}  // namespace capwright::jinja
