// Checks of the raw text, one pass over the bytes; a second one, over structure, only for texts with many brackets.
#include "yaml/byte_checks.h"

#include <algorithm>
#include <array>

#include "base/wide.h"
#include "diag/catalog/limits.h"
#include "diag/catalog/text.h"
#include "yaml/characters.h"

namespace capwright::yaml {
namespace {

// The YAML library keeps about 230 bytes per bracket until a bracketed collection ends, so its text is bounded.
constexpr std::uint32_t kMostFlowBytes = 1u << 20;

enum class ByteClass : std::uint8_t { Plain, Control, Lead2, Lead3, Lead4, Invalid };

constexpr std::array<ByteClass, 256> kClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (int c = 0; c < 0x20; ++c) classes[c] = ByteClass::Control;
  classes['\t'] = classes['\n'] = classes['\r'] = ByteClass::Plain;
  classes[0x7f] = ByteClass::Control;
  for (int c = 0x80; c < 0xc2; ++c) classes[c] = ByteClass::Invalid;
  for (int c = 0xc2; c < 0xe0; ++c) classes[c] = ByteClass::Lead2;
  for (int c = 0xe0; c < 0xf0; ++c) classes[c] = ByteClass::Lead3;
  for (int c = 0xf0; c < 0xf5; ++c) classes[c] = ByteClass::Lead4;
  for (int c = 0xf5; c < 0x100; ++c) classes[c] = ByteClass::Invalid;
  return classes;
}();

ByteClass class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// Decodes the sequence at the start of `text`. Returns its size, or 0 if it isn't UTF-8 (overlong, surrogate,
// truncated).
std::size_t decode(std::string_view text, std::uint32_t& code_point) {
  const ByteClass lead = class_of(text[0]);
  std::size_t size = 0;
  if (lead == ByteClass::Lead2) size = 2;
  else if (lead == ByteClass::Lead3) size = 3;
  else if (lead == ByteClass::Lead4) size = 4;
  if (size == 0 || text.size() < size) return 0;
  code_point = static_cast<unsigned char>(text[0]) & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    code_point = (code_point << 6) | (byte & 0x3fu);
  }
  const bool overlong = (size == 3 && code_point < 0x800) || (size == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  return overlong || surrogate || code_point > 0x10ffff ? 0 : size;
}

std::string_view control_name(std::uint32_t c) {
  switch (c) {
    case 0x00: return "NUL";
    case 0x07: return "bell";
    case 0x08: return "backspace";
    case 0x0b: return "vertical tab";
    case 0x0c: return "form feed";
    case 0x7f: return "delete";
    case 0xfffe:
    case 0xffff: return "reserved";
    default: return "control";
  }
}

// "UTF-16" or "UTF-32" if the first bytes show it, by a byte order mark or by the zeros of ASCII text.
std::string_view foreign_encoding(std::string_view text) {
  const auto starts = [&](std::string_view mark) { return text.starts_with(mark); };
  using namespace std::string_view_literals;
  if (starts("\xff\xfe\0\0"sv) || starts("\0\0\xfe\xff"sv) || starts("\0\0\0"sv)) return "UTF-32";
  if (starts("\xff\xfe"sv) || starts("\xfe\xff"sv)) return "UTF-16";
  if (text.size() < 4 || text[0] == '\0') return text.size() >= 2 && text[0] == '\0' && text[1] != '\0' ? "UTF-16" : "";
  if (text.substr(1, 3) == "\0\0\0"sv) return "UTF-32";
  return text[1] == '\0' && text[3] == '\0' ? "UTF-16" : "";
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Advances over the character at `at`. Reports it and returns false if YAML and JSON forbid it.
bool check_character(Reading& reading, std::uint32_t& at) {
  const std::string_view rest = reading.text.substr(at);
  std::uint32_t code_point = static_cast<unsigned char>(rest[0]);
  std::size_t size = 1;
  if (class_of(rest[0]) != ByteClass::Control) {
    size = decode(rest, code_point);
    if (size == 0) {
      reading.report(diag::invalid_utf8, at, at + 1, static_cast<unsigned char>(rest[0]), at)
          .advise("save the file as UTF-8");
      return false;
    }
    if (rest.starts_with(kByteOrderMark)) {
      reading.report(diag::misplaced_byte_order_mark, at, at + 3)
          .note("two files were probably joined; only the first bytes of a file may be a byte order mark");
      return false;
    }
    const bool next_line = code_point == 0x85;
    if (next_line || (code_point > 0x9f && code_point != 0xfffe && code_point != 0xffff)) {
      at += static_cast<std::uint32_t>(size);
      return true;
    }
  }
  auto& fault = reading.report(diag::control_character, at, at + static_cast<std::uint32_t>(size),
                               control_name(code_point), code_point, at);
  if (code_point == 0) fault.note("text contains no NUL: the file is binary, damaged, or not in UTF-8");
  fault.advise(fmt::format("remove it, or write it as `\\x{:02x}` inside double quotes", code_point));
  return false;
}

// Only `%YAML 1.1`, `%YAML 1.2` and `%TAG`: the library hangs on or drops other lines that start with `%`.
bool is_known_directive(std::string_view line) {
  for (const std::string_view known : {"%YAML 1.1", "%YAML 1.2"}) {
    if (!line.starts_with(known)) continue;
    const std::size_t rest = line.find_first_not_of(" \t\r", known.size());
    return rest == std::string_view::npos || (line[rest] == '#' && rest > known.size());
  }
  if (!line.starts_with("%TAG !")) return false;
  const std::size_t handle_end = line.find(' ', 5);
  return handle_end != std::string_view::npos && line[handle_end - 1] == '!' &&
         line.find_first_not_of(" \r", handle_end) != std::string_view::npos;
}

constexpr std::size_t kMostDirectives = 100;  // of a file: the library compares each one with all earlier ones

// Directives are allowed before `---`, at the start and after `...`.
bool check_directives(Reading& reading) {
  const std::string_view text = reading.text;
  bool before_content = true;
  std::size_t directives = 0;
  std::size_t line_begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (line_begin < text.size()) {
    const std::size_t line_end = std::min(text.find('\n', line_begin), text.size());
    const std::string_view line = text.substr(line_begin, line_end - line_begin);
    const bool is_directive = before_content && line.starts_with('%');
    if (is_directive && (!is_known_directive(line) || ++directives > kMostDirectives)) {
      const auto begin = static_cast<std::uint32_t>(line_begin);
      const auto end = static_cast<std::uint32_t>(std::min(line_begin + line.find_last_not_of('\r') + 1, line_end));
      reading.report(diag::bad_directive, begin, end, cut(line.substr(0, line.find_first_of(" \r")), 40))
          .advise(directives > kMostDirectives
                      ? fmt::format("a file can have at most {} directives", kMostDirectives)
                      : "a text that starts with `%` needs quotes; templates (`{% … %}`) are not values");
      return false;
    }
    if (line.find_first_not_of(" \t\r") != std::string_view::npos && line[0] != '#' && line[0] != '%') {
      before_content = line.starts_with("...");
    }
    if (!before_content) {
      const std::size_t next = text.find("\n...", line_end == 0 ? 0 : line_end - 1);
      if (next == std::string_view::npos) break;
      line_begin = next + 1;
    } else {
      line_begin = line_end + 1;
    }
  }
  return true;
}

// True for nearly all bytes: line breaks, or none below a space, above 0x7f, or DEL.
bool are_printable(Wide bytes) { return !is_any(((bytes < ' ') & (bytes != '\n')) | (bytes == 0x7f)); }

}  // namespace

std::uint32_t check_bytes(Reading& reading) {
  const std::string_view text = reading.text;
  if (text.size() > reading.stage.limits.input_bytes) {
    reading.report(diag::input_too_large, 0, 0, text.size(), reading.stage.limits.input_bytes);
    return kUnreadable;
  }
  if (const std::string_view encoding = foreign_encoding(text); !encoding.empty()) {
    reading.report(diag::wrong_encoding, 0, 0, encoding).advise("save the file as UTF-8");
    return kUnreadable;
  }
  const std::uint32_t start = text.starts_with(kByteOrderMark) ? 3 : 0;
  for (std::uint32_t at = start; at < text.size();) {
    if (text.size() - at >= sizeof(Wide) && are_printable(wide_at(text.data() + at))) {
      at += sizeof(Wide);
    } else if (class_of(text[at]) == ByteClass::Plain) {
      ++at;
    } else if (!check_character(reading, at)) {
      return kUnreadable;
    }
  }
  return start;
}

bool check_shape(Reading& reading) {
  if (!check_directives(reading)) return false;
  const std::string_view text = reading.text;
  const auto openers = std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; });
  const std::uint32_t most = reading.stage.limits.depth;
  if (openers <= most && text.size() <= kMostFlowBytes) return true;

  const Outline outline = outline_brackets(text, most, kMostFlowBytes);
  if (outline.too_deep_at != Outline::kNowhere) {
    reading.report(diag::nested_too_deep, outline.too_deep_at, outline.too_deep_at + 1, "brackets", most);
    return false;
  }
  if (outline.too_long_at != Outline::kNowhere) {
    reading.report(diag::flow_too_large, outline.too_long_at, outline.too_long_at + 1, kMostFlowBytes)
        .advise("write it in block style (one key a line), or as a `.json` file");
    return false;
  }
  return true;
}

}  // namespace capwright::yaml
