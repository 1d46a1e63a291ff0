// Splits an expression into tokens and decodes strings. The grammar is the lexical part of cel-spec's langdef.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "cel/syntax.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_word_start(char c) { return is_letter(c) || c == '_'; }
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

// Longer ones first, because the first match wins.
constexpr std::string_view kSigns[] = {"==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}",
                                       "(",  ")",  ".",  ",",  "-",  "!",  "?", ":", "+", "*", "/", "%"};

class Lexer {
 public:
  Lexer(std::string_view text, Arena& arena, std::vector<Token>& tokens, Issue& issue)
      : text_(text), arena_(arena), tokens_(tokens), issue_(issue) {}

  bool run() {
    while (true) {
      skip_blanks();
      if (at_ == text_.size()) break;
      if (!read_token()) return false;
    }
    add(TokenKind::End, at_);
    return true;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') ++at_;
      else if (text_.substr(at_, 2) == "//") at_ = std::min(text_.find('\n', at_), text_.size());
      else return;
    }
  }

  Token& add(TokenKind kind, std::size_t begin) {
    const Range where{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    tokens_.push_back({kind, where, text_.substr(begin, at_ - begin), {}});
    return tokens_.back();
  }

  bool refuse(std::size_t begin, std::size_t end, std::string message) {
    issue_ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, text_.size())),
              std::move(message), ""};
    return false;
  }

  bool read_token() {
    const char c = peek();
    if (const int prefix = string_prefix(); prefix >= 0) return read_string(static_cast<std::size_t>(prefix));
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
    if (is_word_start(c)) {
      const std::size_t begin = at_;
      while (is_word(peek())) ++at_;
      add(TokenKind::Name, begin);
      return true;
    }
    if (c == '`') return read_escaped_name();
    for (const std::string_view sign : kSigns) {
      if (text_.substr(at_, sign.size()) != sign) continue;
      at_ += sign.size();
      add(TokenKind::Sign, at_ - sign.size());
      return true;
    }
    return refuse_sign();
  }

  // Operators of other languages, with their CEL equivalents.
  bool refuse_sign() {
    constexpr std::array<std::array<std::string_view, 2>, 5> kMeant = {
        {{"=>", ">="}, {"=<", "<="}, {"=", "=="}, {"&", "&&"}, {"|", "||"}}};
    for (const auto& [sign, meant] : kMeant) {
      if (text_.substr(at_, sign.size()) != sign) continue;
      refuse(at_, at_ + sign.size(), "`" + std::string(sign) + "` starts nothing");
      issue_.help = "did you mean `" + std::string(meant) + "`?";
      return false;
    }
    const std::uint32_t size = utf8::decode(text_, at_).size;
    return refuse(at_, at_ + size, "`" + std::string(text_.substr(at_, size)) + "` starts nothing");
  }

  bool read_escaped_name() {
    const std::size_t begin = at_++;
    while (is_word(peek()) || peek() == '.' || peek() == '-' || peek() == '/' || peek() == ' ') ++at_;
    if (peek() != '`' || at_ == begin + 1) return refuse(begin, at_, "the name in backticks is not closed");
    ++at_;
    Token& token = add(TokenKind::EscapedName, begin);
    token.text = token.text.substr(1, token.text.size() - 2);
    return true;
  }

  bool read_number() {
    const std::size_t begin = at_;
    if (peek() == '0' && peek(1) == 'x' && is_hex_digit(peek(2))) {
      at_ += 2;
      while (is_hex_digit(peek())) ++at_;
      return finish_whole(begin);
    }
    while (is_digit(peek())) ++at_;
    bool fraction = false;
    if (peek() == '.' && is_digit(peek(1))) {
      fraction = true;
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        fraction = true;
        at_ += 1 + sign;
        while (is_digit(peek())) ++at_;
      }
    }
    if (!fraction) return finish_whole(begin);
    add(TokenKind::Double, begin);
    return true;
  }

  bool finish_whole(std::size_t begin) {
    const bool is_unsigned = peek() == 'u' || peek() == 'U';
    if (is_unsigned) ++at_;
    add(is_unsigned ? TokenKind::Uint : TokenKind::Int, begin);
    return true;
  }

  // The length of the prefix before the quote (`b`, `r`, `br`); -1 if no string starts here.
  int string_prefix() const {
    int prefix = 0;
    if (peek() == 'b' || peek() == 'B') ++prefix;
    const char raw = peek(static_cast<std::size_t>(prefix));
    if (raw == 'r' || raw == 'R') ++prefix;
    const char quote = peek(static_cast<std::size_t>(prefix));
    return quote == '"' || quote == '\'' ? prefix : -1;
  }

  bool read_string(std::size_t prefix) {
    const std::size_t begin = at_;
    const std::string_view letters = text_.substr(at_, prefix);
    const bool bytes = letters.find_first_of("bB") != std::string_view::npos;
    const bool raw = letters.find_first_of("rR") != std::string_view::npos;
    at_ += prefix;
    const char quote = peek();
    const std::size_t width = peek(1) == quote && peek(2) == quote ? 3 : 1;
    const std::string closing(width, quote);
    at_ += width;
    std::string value;
    while (text_.substr(at_, width) != closing) {
      const char c = peek();
      if (at_ >= text_.size() || (width == 1 && (c == '\n' || c == '\r'))) {
        return refuse(begin, at_, "the string is not closed");
      }
      if (c == '\\' && !raw) {
        if (!read_escape(bytes, value)) return false;
      } else {
        read_plain(value);
      }
    }
    at_ += width;
    if (!bytes && !check_utf8(begin, value)) return false;
    add(bytes ? TokenKind::Bytes : TokenKind::String, begin).value = arena_.text(value);
    return true;
  }

  bool check_utf8(std::size_t begin, const std::string& value) {
    for (std::size_t i = 0; i < value.size();) {
      const utf8::CodePoint point = utf8::decode(value, i);
      if (point.value == 0xfffd && point.size == 1) return refuse(begin, at_, "the string is not UTF-8");
      i += point.size;
    }
    return true;
  }

  // Line breaks of any kind become `\n`.
  void read_plain(std::string& value) {
    const char c = text_[at_++];
    if (c == '\r' && peek() == '\n') return;
    value += c == '\r' ? '\n' : c;
  }

  bool read_escape(bool bytes, std::string& value) {
    constexpr std::string_view kFrom = "abfnrtv\\'\"`?", kTo = "\a\b\f\n\r\t\v\\'\"`?";
    const std::size_t begin = at_;
    const char kind = peek(1);
    at_ += 2;
    if (const std::size_t simple = kFrom.find(kind); kind != '\0' && simple != std::string_view::npos) {
      value += kTo[simple];
      return true;
    }
    std::size_t digits = 0;
    if (kind == 'x' || kind == 'X') digits = 2;
    if (!bytes && (kind == 'u' || kind == 'U')) digits = kind == 'u' ? 4 : 8;
    char32_t code = 0;
    bool good = digits != 0;
    if (kind >= '0' && kind <= '3') {
      good = is_octal(peek()) && is_octal(peek(1));
      code = static_cast<char32_t>((kind - '0') * 64 + (peek() - '0') * 8 + (peek(1) - '0'));
      at_ += 2;
    }
    for (std::size_t i = 0; i < digits && good; ++i, ++at_) {
      good = is_hex_digit(peek());
      if (good) code = code << 4 | static_cast<char32_t>(hex_value(peek()));
    }
    if (!good) return refuse(begin, at_, "`" + std::string(text_.substr(begin, 2)) + "` isn't a valid escape");
    if (bytes) value += static_cast<char>(code);
    else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      return refuse(begin, at_, "the escape isn't a code point");
    else utf8::append(value, code);
    return true;
  }

  std::string_view text_;
  Arena& arena_;
  std::vector<Token>& tokens_;
  Issue& issue_;
  std::size_t at_ = 0;
};

}  // namespace

bool tokenize(std::string_view expression, Arena& arena, std::vector<Token>& tokens, Issue& issue) {
  return Lexer(expression, arena, tokens, issue).run();
}

}  // namespace capwright::cel
