// Jinja2 reads strings with Python's `unicode-escape` codec, after it has escaped every non-ASCII character. This
// causes two oddities, which are kept: an unknown escape is kept as text, and a backslash before a non-ASCII character
// leaves that character's escape as text.
#include <fmt/format.h>

#include "template/syntax/lexer.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

class Unescaper {
 public:
  Unescaper(std::string_view raw, std::string_view newline_sequence) : raw_(raw), newline_(newline_sequence) {}

  StringLiteral run() {
    while (at_ < raw_.size() && result_.fault.empty()) {
      const std::size_t special = std::min(raw_.find_first_of("\\\n", at_), raw_.size());
      result_.text.append(raw_, at_, special - at_);
      at_ = special;
      if (at_ == raw_.size()) break;
      if (raw_[at_] == '\n') {
        result_.text.append(newline_);
        ++at_;
      } else {
        escape();
      }
    }
    return std::move(result_);
  }

 private:
  void escape() {
    const std::size_t start = at_++;
    if (at_ == raw_.size()) return fault(start, at_, "a backslash needs a character after it");
    const char c = raw_[at_];
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
      result_.text.push_back(kMeanings[letter]);
      ++at_;
    } else if (c == '\n') {
      ++at_;
      if (newline_ != "\n") result_.text.append("\\").append(newline_);
    } else if (c >= '0' && c <= '7') {
      octal();
    } else if (c == 'x' || c == 'u' || c == 'U') {
      hexadecimal(start, c);
    } else if (c == 'N') {
      fault(start, at_ + 1, "names of characters aren't supported; write the character itself or `\\u` and its number");
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      not_ascii();
    } else {
      result_.text.append({'\\', c});
      ++at_;
    }
  }

  void octal() {
    char32_t value = 0;
    for (int digits = 0; digits < 3 && at_ < raw_.size() && raw_[at_] >= '0' && raw_[at_] <= '7'; ++digits) {
      value = value * 8 + static_cast<char32_t>(raw_[at_++] - '0');
    }
    utf8::append(result_.text, value);
  }

  void hexadecimal(std::size_t start, char kind) {
    int wanted = 8;
    if (kind == 'x') wanted = 2;
    else if (kind == 'u') wanted = 4;
    ++at_;
    char32_t value = 0;
    for (int digits = 0; digits < wanted; ++digits) {
      const int digit = at_ < raw_.size() ? hex_digit(raw_[at_]) : -1;
      if (digit < 0) return fault(start, at_, fmt::format("`\\{}` needs {} hexadecimal digits", kind, wanted));
      value = value * 16 + static_cast<char32_t>(digit);
      ++at_;
    }
    if (value > 0x10FFFF) return fault(start, at_, "characters end at `\\U0010ffff`");
    if (value >= 0xD800 && value <= 0xDFFF) {
      return fault(start, at_, "this is half a character; write the whole one with `\\U` and eight digits");
    }
    utf8::append(result_.text, value);
  }

  void not_ascii() {
    const utf8::CodePoint c = utf8::decode(raw_, at_);
    const auto number = static_cast<std::uint32_t>(c.value);
    if (number < 0x100) result_.text += fmt::format("\\x{:02x}", number);
    else if (number < 0x10000) result_.text += fmt::format("\\u{:04x}", number);
    else result_.text += fmt::format("\\U{:08x}", number);
    at_ += c.size;
  }

  static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  void fault(std::size_t begin, std::size_t end, std::string what) {
    result_.fault = std::move(what);
    result_.fault_begin = begin;
    result_.fault_end = end;
  }

  std::string_view raw_;
  std::string_view newline_;
  std::size_t at_ = 0;
  StringLiteral result_;
};

}  // namespace

StringLiteral unescape(std::string_view raw, std::string_view newline_sequence) {
  return Unescaper(raw, newline_sequence).run();
}

}  // namespace capwright::jinja
