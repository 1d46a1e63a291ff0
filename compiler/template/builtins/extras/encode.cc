// Filters that encode bytes: Base64, digests, quoting for a shell.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/sha.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "text/base64.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// 0 to 63; -1 for a character outside the alphabet. The URL-safe digits count only if `url_safe`.
int base64_digit(char c, bool url_safe) {
  if (url_safe && (c == '-' || c == '_')) return c == '-' ? 62 : 63;
  const std::size_t digit = kBase64.find(c);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

// Like binascii.a2b_base64: skips other characters, and padding ends the data. Empty `fault`: success.
std::string from_base64(std::string_view text, bool url_safe, std::string_view& fault) {
  std::string out;
  unsigned group = 0;
  int digits = 0, pads = 0;
  for (const char c : text) {
    if (c == '=') {
      if (digits >= 2 && digits + ++pads >= 4) return out;
      continue;
    }
    const int digit = base64_digit(c, url_safe);
    if (digit < 0) continue;
    pads = 0;
    group = (group << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    digits = (digits + 1) % 4;
    // Bits of the group that belong to the next byte, by the number of digits so far.
    constexpr unsigned kSpareBits[] = {0, 6, 4, 2};
    if (digits != 1) out += static_cast<char>(group >> kSpareBits[digits] & 0xff);
  }
  if (digits == 1) fault = "one character is left over after the groups of four";
  if (digits > 1) fault = "the `=` at its end is missing";
  return out;
}

std::string utf16_little_endian(std::string_view text) {
  std::string out;
  const auto unit = [&](char32_t u) { out += {static_cast<char>(u & 0xff), static_cast<char>(u >> 8 & 0xff)}; };
  for (char32_t c : utf8::decode_all(text)) {
    if (c >= 0x10000) {
      unit(0xd800 + ((c - 0x10000) >> 10));
      c = 0xdc00 + ((c - 0x10000) & 0x3ff);
    }
    unit(c);
  }
  return out;
}

// Text from UTF-16 code units; empty for an incomplete unit or a lone surrogate.
std::optional<std::string> from_utf16_little_endian(std::string_view bytes) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  std::string out;
  const auto unit = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(bytes[i]) | static_cast<unsigned char>(bytes[i + 1]) << 8);
  };
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xd800 && c < 0xe000) {
      const char32_t low = c < 0xdc00 && i + 3 < bytes.size() ? unit(i + 2) : 0;
      if (low < 0xdc00 || low > 0xdfff) return std::nullopt;
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      i += 2;
    }
    utf8::append(out, c);
  }
  return out;
}

enum class Encoding { Utf8, Utf16 };

std::optional<Encoding> encoding_of(Runtime& runtime, std::string_view filter, const Value& name) {
  static constexpr std::array<std::string_view, 4> kKnown{"utf-8", "utf8", "utf-16-le", "utf-16le"};
  const auto choice = extras::choice(runtime, filter, "encoding", name, kKnown);
  if (!choice) return std::nullopt;
  return *choice < 2 ? Encoding::Utf8 : Encoding::Utf16;
}

Value hash_of(Runtime& runtime, const Value& value) {
  const Value text = text_of(runtime, value);
  return text.is_error() ? text : runtime.string(to_hex(sha256(text.text())));
}

bool is_safe_in_shell(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

Value b64encode_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  const auto encoding = text.is_error() ? std::nullopt : encoding_of(runtime, "b64encode", arguments[1]);
  const auto url_safe = encoding ? truth_of(runtime, arguments[2]) : std::nullopt;
  if (!url_safe || !runtime.room_for_text(text.text().size() * 3)) return Value::error();
  const std::string bytes = *encoding == Encoding::Utf8 ? std::string(text.text()) : utf16_little_endian(text.text());
  return runtime.string(to_base64(bytes, *url_safe ? kBase64Url : kBase64));
}

Value b64decode_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  const auto encoding = text.is_error() ? std::nullopt : encoding_of(runtime, "b64decode", arguments[1]);
  const auto url_safe = encoding ? truth_of(runtime, arguments[2]) : std::nullopt;
  if (!url_safe) return Value::error();
  std::string_view fault;
  const std::string bytes = from_base64(text.text(), *url_safe, fault);
  if (!fault.empty()) return runtime.fail(diag::not_base64, fault);
  if (*encoding == Encoding::Utf8) {
    return utf8::is_valid(bytes) ? runtime.string(bytes) : runtime.fail(diag::decoded_no_text, "UTF-8");
  }
  const auto decoded = from_utf16_little_endian(bytes);
  return decoded ? runtime.string(*decoded) : runtime.fail(diag::decoded_no_text, "UTF-16");
}

Value sha256_filter(Runtime& runtime, const BoundArguments& arguments) { return hash_of(runtime, arguments[0]); }

Value hash_filter(Runtime& runtime, const BoundArguments& arguments) {
  static constexpr std::array<std::string_view, 1> kKnown{"sha256"};
  return extras::choice(runtime, "hash", "algorithm", arguments[1], kKnown) ? hash_of(runtime, arguments[0])
                                                                            : Value::error();
}

Value quote_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value value = arguments[0].is(Kind::Null) ? runtime.string("") : text_of(runtime, arguments[0]);
  if (value.is_error()) return value;
  const std::string_view text = value.text();
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_safe_in_shell)) return runtime.string(text);
  if (!runtime.room_for_text(text.size() * 5 + 2)) return Value::error();
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\"'\"'";
    } else {
      quoted += c;
    }
  }
  return runtime.string(quoted + "'");
}

}  // namespace capwright::jinja
