// Filters for HTML and URLs, and methods of Markup.
#include "diag/catalog/template_operations.h"
#include "template/builtins/operands.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

// Excludes characters that would start another attribute or end the tag.
bool is_attribute_name(std::string_view key) { return key.find_first_of(" \t\n\r\f\v/>=") == std::string_view::npos; }

void append_quoted(std::string& out, std::string_view bytes, bool query) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z' && byte < 0x80) || c == '_' ||
                       c == '.' || c == '-' || c == '~' || (c == '/' && !query);
    if (plain) {
      out += c;
    } else if (c == ' ' && query) {
      out += '+';
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
    }
  }
}

// Appends str(value), percent-encoded; false if an error is reported.
bool append_encoded(Runtime& runtime, std::string& out, const Value& value, bool query) {
  const Value text = text_of(runtime, value);
  if (text.is_error() || !runtime.room_for_text(out.size() + 3 * text.text().size())) return false;
  append_quoted(out, text.text(), query);
  return true;
}

bool append_pair(Runtime& runtime, std::string& out, const Value& key, const Value& value) {
  if (!out.empty()) out += '&';
  if (!append_encoded(runtime, out, key, true)) return false;
  out += '=';
  return append_encoded(runtime, out, value, true);
}

Value encoded_pairs(Runtime& runtime, const Value& pairs) {
  const auto items = items_of(runtime, pairs);
  if (!items) return Value::error();
  std::string out;
  for (const Value& pair : *items) {
    const auto parts = items_of(runtime, pair);
    if (!parts) return Value::error();
    if (parts->size() != 2) {
      const std::string count = std::to_string(parts->size());
      return wrong_value(runtime, parts->size() < 2 ? "not enough values to unpack (expected 2, got " + count + ")"
                                                    : "too many values to unpack (expected 2)");
    }
    if (!append_pair(runtime, out, (*parts)[0], (*parts)[1])) return Value::error();
  }
  return text_result(runtime, out);
}

}  // namespace

Value urlencode_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  std::string out;
  if (value.is(Kind::String) || value.is(Kind::Undefined) || !runtime.iterable(value)) {
    return append_encoded(runtime, out, value, false) ? text_result(runtime, out) : Value::error();
  }
  if (!value.is(Kind::Map)) return encoded_pairs(runtime, value);
  for (const Entry& entry : value.entries()) {
    if (!runtime.step() || !append_pair(runtime, out, entry.key, entry.value)) return Value::error();
  }
  return text_result(runtime, out);
}

Value xmlattr_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& attributes = arguments[0];
  const auto autospace = truth_of(runtime, arguments[1]);
  if (!autospace) return Value::error();
  if (attributes.is(Kind::Undefined)) return runtime.fail_undefined(attributes);
  if (!attributes.is(Kind::Map)) {
    return runtime.fail_as(diag::missing_attribute.info,
                           "'" + std::string(runtime.type_name(attributes)) + "' object has no attribute 'items'");
  }
  std::string out;
  for (const Entry& entry : attributes.entries()) {
    if (entry.value.is(Kind::Null) || entry.value.is(Kind::Undefined)) continue;
    if (!entry.key.is(Kind::String)) {
      return wrong_type(
          runtime, "expected string or bytes-like object, got '" + std::string(runtime.type_name(entry.key)) + "'");
    }
    if (!is_attribute_name(entry.key.text())) {
      return wrong_value(runtime, "Invalid character in attribute name: " + runtime.repr(entry.key));
    }
    const Value key = runtime.escape(entry.key), value = runtime.escape(entry.value);
    if (key.is_error() || value.is_error() || !runtime.step()) return Value::error();
    if (!out.empty() || *autospace) out += ' ';
    out.append(key.text()).append("=\"").append(value.text()).append("\"");
    if (!runtime.room_for_text(out.size())) return Value::error();
  }
  return text_result(runtime, out, runtime.autoescape);
}

Value striptags_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  return text.is_error() ? text : text_result(runtime, python::strip_tags(text.text()));
}

Value markup_escape(Runtime& runtime, const BoundArguments& arguments) { return runtime.escape(arguments[1]); }
Value markup_striptags(Runtime& runtime, const BoundArguments& arguments) {
  return text_result(runtime, python::strip_tags(arguments[0].text()));
}
Value markup_unescape(Runtime& runtime, const BoundArguments& arguments) {
  return text_result(runtime, python::html_unescape(arguments[0].text()));
}

}  // namespace capwright::jinja
