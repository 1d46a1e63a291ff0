// See byte_checks.h. Tokens are recognised by their first characters; plain scalars are not followed over lines.
#include <algorithm>

#include "yaml/byte_checks.h"

namespace capwright::yaml {
namespace {

class Walker {
 public:
  Walker(std::string_view text, std::uint32_t most_depth, std::uint32_t most_bytes)
      : text_(text), most_depth_(most_depth), most_bytes_(most_bytes) {}

  Outline walk() {
    while (at_ < text_.size() && !done()) line();
    if (in_flow()) check_length();
    return std::move(outline_);
  }

 private:
  bool done() const { return outline_.too_deep_at != Outline::kNowhere || outline_.too_long_at != Outline::kNowhere; }
  bool in_flow() const { return !outline_.open.empty(); }
  char look(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  bool blank_after(std::size_t ahead) const {
    const char c = look(ahead);
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
  // Whether this is a `:` that ends a key.
  bool key_end() const {
    return look() == ':' && (blank_after(1) || (in_flow() && (look(1) == ',' || look(1) == ']' || look(1) == '}')));
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  void line();
  void token();
  void open_bracket();
  void check_length() {
    if (at_ - outline_.open[0] > most_bytes_) outline_.too_long_at = outline_.open[0];
  }
  void quoted(char quote);
  void block_scalar();
  void plain();
  void rest_of_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view text_;
  std::uint32_t most_depth_, most_bytes_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::size_t structure_column_ = 0;  // of the last `- ` or key: a block scalar is indented more than it
  Outline outline_;
};

void Walker::line() {
  line_start_ = at_;
  while (at_ < text_.size() && text_[at_] != '\n' && !done()) token();
  if (at_ < text_.size()) ++at_;
}

void Walker::token() {
  const char c = look();
  if (c == ' ' || c == '\t' || c == '\r') {
    ++at_;
  } else if (c == '#') {
    rest_of_line();
  } else if (c == '"' || c == '\'') {
    structure_column_ = at_ - line_start_;
    quoted(c);
  } else if (c == '[' || c == '{') {
    open_bracket();
  } else if ((c == ']' || c == '}') && in_flow()) {
    check_length();
    outline_.open.pop_back();
    ++at_;
  } else if (c == ',' && in_flow()) {
    ++at_;
  } else if (key_end()) {
    ++at_;
  } else if ((c == '-' || c == '?') && blank_after(1)) {
    structure_column_ = at_ - line_start_;
    ++at_;
  } else if ((c == '|' || c == '>') && !in_flow()) {
    block_scalar();
  } else if (c == '&' || c == '!' || c == '*') {
    while (!blank_after(0) && !(in_flow() && (look() == ',' || look() == ']' || look() == '}'))) ++at_;
  } else {
    structure_column_ = at_ - line_start_;
    plain();
  }
}

void Walker::open_bracket() {
  outline_.open.push_back(here());
  if (outline_.open.size() > most_depth_) outline_.too_deep_at = here();
  check_length();
  ++at_;
}

void Walker::quoted(char quote) {
  outline_.last_quote = here();
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\' && quote == '"') {
      ++at_;
    } else if (text_[at_] == quote) {
      if (quote == '\'' && look(1) == '\'') {
        ++at_;
        continue;
      }
      ++at_;
      return;
    }
  }
  at_ = std::min(at_, text_.size());
}

// Skips the lines that are indented more than the structure that contains the scalar.
void Walker::block_scalar() {
  rest_of_line();
  while (at_ < text_.size()) {
    const std::size_t begin = at_ + 1;
    const std::size_t content = std::min(text_.find_first_not_of(' ', begin), text_.size());
    const bool blank = content == text_.size() || text_[content] == '\n' || text_[content] == '\r';
    if (!blank && content - begin <= structure_column_) return;
    at_ = std::min(text_.find('\n', std::min(begin, text_.size())), text_.size());
  }
}

void Walker::plain() {
  while (at_ < text_.size() && look() != '\n') {
    const char c = look();
    if (key_end()) return;
    if (c == '#' && at_ > 0 && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) return;
    if (in_flow() && (c == ',' || c == '[' || c == ']' || c == '{' || c == '}')) return;
    ++at_;
  }
}

}  // namespace

Outline outline_brackets(std::string_view text, std::uint32_t most_depth, std::uint32_t most_bytes) {
  return Walker(text, most_depth, most_bytes).walk();
}

}  // namespace capwright::yaml
