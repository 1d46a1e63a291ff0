// The library removes an escaping character from its buffer. This scanner keeps the text, so that places stay exact,
// and leaves the character out of the token's ranges.
#include "envsubst/scanner.h"

#include "text/utf8.h"

namespace capwright::envsubst {

char32_t Scanner::read() {
  width_ = 0;
  if (at_ >= text_.size()) return 0;
  const utf8::CodePoint next = utf8::decode(text_, at_);
  width_ = next.size;
  at_ += next.size;
  return next.value;
}

char32_t Scanner::peek() {
  const char32_t next = read();
  unread();
  return next;
}

char32_t Scanner::peek_second() {
  read();
  const char32_t second = peek();
  unread();
  return second;
}

Token Scanner::scan() {
  start_ = range_start_ = at_;
  earlier_.clear();
  const char32_t first = read();
  if (first == 0) return Token::End;
  if (scan_open(first)) return Token::Open;
  if (mode_.close && first == '}') return Token::Close;
  return scan_text(first) ? Token::Text : Token::Illegal;
}

bool Scanner::scan_open(char32_t c) {
  if (!mode_.open || c != '$') return false;
  if (read() == '{') return true;
  unread();
  return false;
}

bool Scanner::is_escape(char32_t c) {
  if (!mode_.escapes) return false;
  if (c == '$') return peek() == '$';
  if (c != '\\' || !backslash_) return false;
  const char32_t next = peek();
  return next == '/' || next == '\\';
}

void Scanner::take_escaped() {
  if (at_ - 1 > range_start_) earlier_.emplace_back(range_start_, at_ - 1);
  range_start_ = at_;
  ++at_;
}

bool Scanner::scan_text(char32_t first) {
  if (!mode_.text) return false;
  if (is_escape(first)) take_escaped();
  else if (!accept_(first, at_ - start_)) return false;
  while (true) {
    const char32_t c = read();
    if (c == 0) {
      unread();
      return true;
    }
    if (scan_open(c)) {
      at_ -= 2;
      return true;
    }
    if (is_escape(c)) {
      take_escaped();
    } else if (!accept_(c, at_ - start_)) {
      unread();
      return true;
    }
  }
}

std::vector<std::pair<std::size_t, std::size_t>> Scanner::ranges() const {
  std::vector<std::pair<std::size_t, std::size_t>> all = earlier_;
  if (at_ > range_start_) all.emplace_back(range_start_, at_);
  return all;
}

std::string Scanner::token() const {
  std::string joined;
  for (const auto& [begin, end] : ranges()) joined += text_.substr(begin, end - begin);
  return joined;
}

}  // namespace capwright::envsubst
