// Reads a template in tokens. The parser sets which characters a token accepts before it reads the next one, because
// the language has no tokens of its own: `#` is an operator, an argument or text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright::envsubst {

enum class Token : std::uint8_t { Illegal, End, Text, Open, Close };

// What the next token may be, and which characters escape others in it.
struct ScanMode {
  bool text = false, open = false, close = false, escapes = false;
};

class Scanner {
 public:
  // Whether a character belongs to the token; `size` is that of the token with the character, in bytes.
  using Accept = bool (*)(char32_t c, std::size_t size);

  explicit Scanner(std::string_view text) : text_(text) {}

  void expect(Accept accept, ScanMode mode) {
    accept_ = accept;
    mode_ = mode;
  }
  // `$$` is `$` everywhere; `\/` and `\\` are escapes only inside of substitutions.
  void escape_backslash(bool on) { backslash_ = on; }
  Token scan();
  // A NUL character also reads as the end of the text, 0.
  char32_t peek();
  // Goes on after the next character if it is the last one. Otherwise goes back by the length of the character after
  // it, not by its own: the library does so, and rejects `${NAME:é}` for this reason.
  char32_t peek_second();

  std::size_t position() const { return at_; }
  // The ranges of the last token without the characters that escape others, and their text.
  std::vector<std::pair<std::size_t, std::size_t>> ranges() const;
  std::string token() const;

 private:
  char32_t read();
  void unread() { at_ -= width_; }
  bool scan_open(char32_t c);
  bool scan_text(char32_t c);
  bool is_escape(char32_t c);
  void take_escaped();

  std::string_view text_;
  std::size_t at_ = 0, start_ = 0, width_ = 0;
  std::size_t range_start_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> earlier_;
  Accept accept_ = nullptr;
  ScanMode mode_;
  bool backslash_ = false;
};

}  // namespace capwright::envsubst
