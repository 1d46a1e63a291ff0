// Splits template text into tokens, one at a time, on the parser's demand: so the first reported error is the first one
// of the text, as in Jinja2.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "template/syntax/options.h"
#include "template/syntax/template_text.h"
#include "template/syntax/token.h"

namespace capwright::jinja {

class Lexer {
 public:
  // The arguments must outlive the lexer; tokens point into `text` and `arena`.
  Lexer(const TemplateText& text, const Options& options, Arena& arena, Sink& sink);

  // The next token. After an error, which is reported, every token is a Fault, until skip_tag().
  Token next();
  // After an error of the lexer or the parser: continues after the end of the current tag, or at the next opening
  // delimiter if that comes first. Reports nothing on the way.
  void skip_tag();
  // The text ended inside a comment or raw block: missing parts after it must not be reported.
  bool text_lost() const { return text_lost_; }

 private:
  enum class State : std::uint8_t { Text, Variable, Block, LineStatement };
  enum class TagKind : std::uint8_t { Comment, Block, Variable, LineStatement, LineComment, Raw };
  // An opening delimiter found in text; offsets into text_.
  struct Tag {
    TagKind kind = TagKind::Raw;
    std::size_t begin = 0;  // the end of the text before it (a line statement's indentation belongs to the tag)
    std::size_t end = 0;
    char sign = 0;  // '-', '+' or none
  };
  struct Delimiter {
    TagKind kind;
    std::string_view text;
  };

  // text: lexer.cc
  std::optional<Token> next_in_text();
  std::optional<Tag> find_tag() const;
  std::optional<Tag> tag_at(std::size_t offset) const;
  std::optional<std::size_t> prefix_at(std::size_t offset, const Delimiter&) const;
  std::optional<Tag> raw_at(std::size_t offset) const;
  std::optional<Token> enter(const Tag&);
  std::optional<Token> skip_comment(const Tag&);
  std::optional<Token> read_raw(const Tag&);
  bool raw_end_at(std::size_t offset, Tag& end_tag) const;
  std::optional<Token> data(std::size_t begin, std::size_t end, const Tag& before);
  std::size_t stripped_end(std::size_t begin, std::size_t end, const Tag& before) const;
  void end_matched(std::size_t begin, std::size_t end);

  // tags: lexer_tags.cc
  Token next_in_tag();
  std::optional<Token> end_of_tag();
  std::optional<std::size_t> closing_at(std::size_t offset, std::string_view delimiter) const;
  Token number();
  std::size_t float_end() const;
  std::size_t integer_end() const;
  std::size_t digits_end(std::size_t offset) const;
  Token name();
  std::optional<Token> string();
  std::optional<Token> bracket(TokenKind kind, std::size_t begin);
  Token unexpected_character();
  bool opening_at(std::size_t offset) const;
  void search_end();

  // both
  std::size_t skip_space(std::size_t offset) const;
  bool space_at(std::size_t offset) const;
  bool has(std::size_t offset, std::string_view what) const { return text_.substr(offset).starts_with(what); }
  std::uint32_t line_at(std::size_t offset);
  Token token(TokenKind kind, std::size_t begin, std::size_t end);
  Token fault();
  Span span(std::size_t begin, std::size_t end) const { return source_.span(begin, end); }
  Token end_of_template();

  const TemplateText& source_;
  std::string_view text_;
  const Options& options_;
  Arena& arena_;
  Sink& sink_;
  std::vector<Delimiter> delimiters_;  // in matching order: the longest first
  bool starts_[256] = {};              // first bytes of delimiters_ that match anywhere in a line
  bool by_line_ = false;               // line statements or comments are on

  State state_ = State::Text;
  std::size_t at_ = 0;
  std::optional<Tag> pending_;         // found, after its preceding text was returned
  bool after_line_break_ = true;       // the last match ended in a line break, or there was none
  std::vector<std::size_t> brackets_;  // offsets of the open ones in this tag
  bool failed_ = false;
  bool quiet_ = false;
  bool text_lost_ = false;
  std::size_t counted_to_ = 0;  // line_ is the line of this offset
  std::uint32_t line_ = 1;
  Token last_;
};

// Decodes the text between a string's quotes: Python's escapes.

struct StringLiteral {
  std::string text;
  // The error in the first invalid escape, with its range in the raw text; empty if there is none.
  std::string fault;
  std::size_t fault_begin = 0;
  std::size_t fault_end = 0;
};

// `raw` is the text between the quotes, with normalized line breaks.
StringLiteral unescape(std::string_view raw, std::string_view newline_sequence);

}  // namespace capwright::jinja
