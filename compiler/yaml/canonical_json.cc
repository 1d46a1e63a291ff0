// RFC 8785, the JSON Canonicalization Scheme. The result is hashed, so none of its bytes may ever change.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "yaml/characters.h"
#include "yaml/write.h"

namespace capwright {
namespace {

// Orders by UTF-16 code units, as ECMAScript does: characters beyond U+FFFF are surrogates, hence before U+E000.
bool utf16_less(std::string_view a, std::string_view b) {
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at_a == a.end() || at_b == b.end()) return at_a == a.end() && at_b != b.end();
  // If the first different bytes start characters of different lengths, 4-byte characters sort as surrogates.
  const auto order = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xf0 ? 0xed80 + (byte - 0xf0) : byte << 8;  // after U+D7FF (ED 9F BF), before U+E000 (EE)
  };
  return order(*at_a) < order(*at_b);
}

void append_string(std::string_view text, std::string& out) {
  static constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
  static constexpr std::string_view kLetters = "bfnrt\"\\";
  out += '"';
  for (const char c : text) {
    if (const std::size_t known = kShort.find(c); known != std::string_view::npos) {
      out.append({'\\', kLetters[known]});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// ECMAScript's Number::toString: the shortest digits that parse back to the same number.
void append_float(double number, std::string& out) {
  if (!std::isfinite(number)) {  // not valid JSON, but distinct from every other value
    if (std::isnan(number)) out += "NaN";
    else out += number < 0 ? "-Infinity" : "Infinity";
    return;
  }
  if (number == 0) return out.push_back('0');  // -0 too
  char shortest[32];
  const auto [end, error] =
      std::to_chars(shortest, shortest + sizeof shortest, std::abs(number), std::chars_format::scientific);
  const std::string_view text(shortest, static_cast<std::size_t>(end - shortest));  // "1.5e+21"
  const std::size_t mark = text.find('e');
  std::string digits(text.substr(0, 1));
  if (mark > 2) digits += text.substr(2, mark - 2);
  int exponent = 0;
  std::from_chars(text.data() + mark + (text[mark + 1] == '+' ? 2 : 1), end, exponent);
  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // digits before the decimal point
  if (number < 0) out += '-';
  if (point > 21 || point < -5) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits, 1);
    out += fmt::format("e{:+}", exponent);
  } else if (point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (count <= point) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else {
    const auto whole = static_cast<std::size_t>(point);
    out.append(digits, 0, whole).append(".").append(digits, whole);
  }
}

void append(const Value& value, std::string& out);

// Data has only String keys; a template may make others, which are written as text.
std::string key_text(const Value& key) {
  if (key.is(Kind::String)) return std::string(key.text());
  std::string text;
  append(key, text);
  return text;
}

void append_map(const Value& map, std::string& out) {
  std::vector<std::pair<std::string, const Value*>> members;
  members.reserve(map.entries().size());
  for (const Entry& entry : map.entries()) members.emplace_back(key_text(entry.key), &entry.value);
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return utf16_less(a.first, b.first); });
  out += '{';
  for (const auto& [key, value] : members) {
    if (out.back() != '{') out += ',';
    append_string(key, out);
    out += ':';
    append(*value, out);
  }
  out += '}';
}

void append_list(const Value& list, std::string& out) {
  out += '[';
  for (const Value& item : list.items()) {
    if (&item != list.items().data()) out += ',';
    append(item, out);
  }
  out += ']';
}

void append(const Value& value, std::string& out) {
  switch (value.kind()) {
    case Kind::Bool: out += value.as_bool() ? "true" : "false"; break;
    case Kind::Int: out += fmt::format_int(value.as_int()).c_str(); break;
    case Kind::Float: append_float(value.as_float(), out); break;
    case Kind::String: append_string(value.text(), out); break;
    case Kind::List: append_list(value, out); break;
    case Kind::Map: append_map(value, out); break;
    default: out += "null";
  }
}

}  // namespace

std::string canonical_json(const Value& value) {
  std::string out;
  append(value, out);
  return out;
}

}  // namespace capwright
