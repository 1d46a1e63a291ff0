// The `tojson` filter: Python's json.dumps() with sorted keys, safe inside HTML. For manifests use `to_json`.
#include <algorithm>
#include <cmath>
#include <vector>

#include "template/builtins/operands.h"
#include "template/builtins/sorting.h"
#include "text/python_text.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

void append_escape(std::string& out, char32_t unit) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 0xF];
}

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    i += point.size;
    const char32_t c = point.value;
    switch (c) {
      case '"': out += "\\\""; continue;
      case '\\': out += "\\\\"; continue;
      case '\n': out += "\\n"; continue;
      case '\r': out += "\\r"; continue;
      case '\t': out += "\\t"; continue;
      case '\f': out += "\\f"; continue;
      case '\b': out += "\\b"; continue;
      default: break;
    }
    if (c > 0xFFFF) {
      append_escape(out, 0xD800 + ((c - 0x10000) >> 10));
      append_escape(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
    } else if (c < 0x20 || c > 0x7E || c == '<' || c == '>' || c == '&' || c == '\'') {
      if (c == 0x7F) out += '\x7f';
      else append_escape(out, c);
    } else {
      out += static_cast<char>(c);
    }
  }
  out += '"';
}

class JsonWriter {
 public:
  // `indent`: the indentation of one level; none for a single line.
  JsonWriter(Runtime& runtime, std::optional<std::string> indent) : runtime_(runtime), indent_(std::move(indent)) {}

  // False if an error is reported.
  bool write(const Value& value) {
    if (!runtime_.step() || !runtime_.room_for_text(out_.size())) return false;
    switch (value.kind()) {
      case Kind::Error: return false;
      case Kind::Null: out_ += "null"; return true;
      case Kind::Bool: out_ += value.as_bool() ? "true" : "false"; return true;
      case Kind::Float: out_ += number_text(value.as_float()); return true;
      case Kind::String: append_json_text(out_, value.text()); return true;
      case Kind::List:
      case Kind::Map: return write_container(value);
      case Kind::Undefined:
        runtime_.fail_elsewhere(FaultKind::Runtime);  // Python raises a TypeError, which doesn't say what is undefined
        runtime_.fail_undefined(value);
        return false;
      default: break;
    }
    if (runtime_.whole(value)) {
      const auto failures = runtime_.failures();
      runtime_.append_str(out_, value);
      return runtime_.failures() == failures;
    }
    wrong_type(runtime_, "Object of type " + std::string(runtime_.type_name(value)) + " is not JSON serializable");
    return false;
  }
  const std::string& text() const { return out_; }

 private:
  static std::string number_text(double number) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    return python::float_repr(number);
  }

  bool write_container(const Value& value) {
    const Nesting level(runtime_, "values");
    if (!level.fits()) return false;
    const void* identity = value.is(Kind::Map) ? static_cast<const void*>(value.map_rep()) : value.list_rep();
    if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
      wrong_value(runtime_, "Circular reference detected");
      return false;
    }
    open_.push_back(identity);
    const bool written = value.is(Kind::Map) ? write_map(value) : write_list(value);
    open_.pop_back();
    return written;
  }

  void line_break() {
    if (!indent_) return;
    out_ += '\n';
    for (std::size_t i = 0; i < open_.size(); ++i) out_ += *indent_;
  }
  void separate(bool first) {
    if (!first) out_ += indent_ ? "," : ", ";
    line_break();
  }
  void close(char bracket) {
    if (indent_) {
      out_ += '\n';
      for (std::size_t i = 1; i < open_.size(); ++i) out_ += *indent_;
    }
    out_ += bracket;
  }

  bool write_list(const Value& list) {
    if (list.items().empty()) {
      out_ += "[]";
      return true;
    }
    out_ += '[';
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      separate(i == 0);
      if (!write(list.items()[i])) return false;
    }
    close(']');
    return true;
  }

  bool write_map(const Value& map) {
    if (map.entries().empty()) {
      out_ += "{}";
      return true;
    }
    std::vector<Keyed> entries;
    for (const Entry& entry : map.entries()) entries.push_back({entry.key, entry.value});
    if (!sort_by_key(runtime_, entries, false)) return false;
    out_ += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
      separate(i == 0);
      if (!write_key(entries[i].key)) return false;
      out_ += ": ";
      if (!write(entries[i].item)) return false;
    }
    close('}');
    return true;
  }

  bool write_key(const Value& key) {
    switch (key.kind()) {
      case Kind::String: append_json_text(out_, key.text()); return true;
      case Kind::Null: out_ += "\"null\""; return true;
      case Kind::Bool: out_ += key.as_bool() ? "\"true\"" : "\"false\""; return true;
      case Kind::Float: out_ += '"' + number_text(key.as_float()) + '"'; return true;
      default: break;
    }
    if (runtime_.whole(key)) {
      out_ += '"' + runtime_.str(key) + '"';
      return true;
    }
    wrong_type(runtime_, "keys must be str, int, float, bool or None, not " + std::string(runtime_.type_name(key)));
    return false;
  }

  Runtime& runtime_;
  std::optional<std::string> indent_;
  std::string out_;
  std::vector<const void*> open_;
};

}  // namespace

Value tojson_filter(Runtime& runtime, const BoundArguments& arguments) {
  std::optional<std::string> indent;
  if (arguments[1].is(Kind::String)) {
    indent = arguments[1].text();
  } else if (!arguments[1].is(Kind::Null)) {
    const auto count = index_argument(runtime, arguments[1]);
    constexpr std::int64_t kWidestIndent = 1000;
    if (!count || !runtime.room_for_text(static_cast<std::uint64_t>(std::max<std::int64_t>(*count, 0))))
      return Value::error();
    indent.emplace(static_cast<std::size_t>(std::clamp<std::int64_t>(*count, 0, kWidestIndent)), ' ');
  }
  JsonWriter writer(runtime, std::move(indent));
  if (!writer.write(arguments[0])) return Value::error();
  return text_result(runtime, writer.text(), true);
}

}  // namespace capwright::jinja
