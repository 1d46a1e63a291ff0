// Inside `{{ … }}`, `{% … %}` and line statements: numbers, names, strings, operators, and the end of the tag.
#include <array>

#include "base/ascii.h"
#include "diag/catalog/template_syntax.h"
#include "template/syntax/lexer.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// A tag of another language, and its Jinja2 equivalent.
struct Foreign {
  std::string_view text;
  std::string_view meant;
};
constexpr std::array kForeign{
    Foreign{"&&", "`and`"},
    Foreign{"!", "`not`"},
    Foreign{"?", "`a if condition else b`"},
    Foreign{"$", "the plain name, without `$`"},
    Foreign{"&", "`and`"},
};

char closing_bracket(char opening) {
  if (opening == '(') return ')';
  if (opening == '[') return ']';
  return '}';
}

}  // namespace

Token Lexer::next_in_tag() {
  while (true) {
    if (brackets_.empty()) {
      if (const std::optional<Token> end = end_of_tag()) return *end;
    }
    if (at_ >= text_.size()) return end_of_template();
    if (!space_at(at_)) break;
    at_ = skip_space(at_);
  }
  const std::size_t begin = at_;
  const char32_t c = utf8::decode(text_, begin).value;
  if (is_digit(text_[begin])) return number();
  if (unicode::is_word(c) || unicode::is_identifier_part(c)) return name();
  if (c == '\'' || c == '"') {
    if (const std::optional<Token> literal = string()) return *literal;
    return unexpected_character();
  }
  const OperatorText found = operator_at(text_.substr(begin));
  if (found.text.empty()) return unexpected_character();
  at_ += found.text.size();
  if (const std::optional<Token> faulty = bracket(found.kind, begin)) return *faulty;
  return token(found.kind, begin, at_);
}

std::optional<Token> Lexer::end_of_tag() {
  const std::size_t begin = at_;
  TokenKind kind = TokenKind::BlockEnd;
  std::optional<std::size_t> end;
  if (state_ == State::LineStatement) {
    // Through the last line break of the white space here, or to the end of the text.
    std::size_t space_end = skip_space(at_);
    if (space_end < text_.size()) {
      while (space_end > at_ && text_[space_end - 1] != '\n') --space_end;
    }
    if (space_end > at_ || at_ == text_.size()) end = space_end;
  } else if (state_ == State::Block) {
    end = closing_at(at_, options_.block_end);
  } else {
    kind = TokenKind::VariableEnd;
    if (has(at_, "-") && has(at_ + 1, options_.variable_end)) {
      end = skip_space(at_ + 1 + options_.variable_end.size());
    } else if (has(at_, options_.variable_end)) {
      end = at_ + options_.variable_end.size();
    }
  }
  if (!end) return std::nullopt;
  const Token result = token(kind, begin, *end);
  end_matched(begin, *end);
  state_ = State::Text;
  return result;
}

// `+%}` | `-%}` space* | `%}` (and a line break with trim_blocks): returns its end.
std::optional<std::size_t> Lexer::closing_at(std::size_t offset, std::string_view delimiter) const {
  if (has(offset, "+") && has(offset + 1, delimiter)) return offset + 1 + delimiter.size();
  if (has(offset, "-") && has(offset + 1, delimiter)) return skip_space(offset + 1 + delimiter.size());
  if (!has(offset, delimiter)) return std::nullopt;
  const std::size_t end = offset + delimiter.size();
  return options_.trim_blocks && has(end, "\n") ? end + 1 : end;
}

Token Lexer::number() {
  const std::size_t begin = at_;
  const std::size_t as_float = float_end();
  at_ = as_float != 0 ? as_float : integer_end();
  return token(as_float != 0 ? TokenKind::Float : TokenKind::Integer, begin, at_);
}

// The end of `digit ("_"? digit)*`; `offset` if there is no digit.
std::size_t Lexer::digits_end(std::size_t offset) const {
  const auto digit_at = [&](std::size_t i) { return i < text_.size() && is_digit(text_[i]); };
  if (!digit_at(offset)) return offset;
  while (true) {
    if (digit_at(offset)) {
      ++offset;
    } else if (has(offset, "_") && digit_at(offset + 1)) {
      offset += 2;
    } else {
      return offset;
    }
  }
}

// digits ( ("." digits)? "e" sign? digits | "." digits ), not after a dot; 0 if this isn't a float.
std::size_t Lexer::float_end() const {
  if (at_ > 0 && text_[at_ - 1] == '.') return 0;
  const std::size_t whole = digits_end(at_);
  std::size_t end = whole;
  if (has(end, ".") && digits_end(end + 1) > end + 1) end = digits_end(end + 1);
  if (has(end, "e") || has(end, "E")) {
    const std::size_t exponent = has(end + 1, "+") || has(end + 1, "-") ? end + 2 : end + 1;
    if (digits_end(exponent) > exponent) return digits_end(exponent);
  }
  return end > whole ? end : 0;
}

// "0b" ("_"? binary)+ | "0o" … | "0x" … | nonzero ("_"? digit)* | "0" ("_"? "0")*
std::size_t Lexer::integer_end() const {
  const auto run = [&](std::size_t from, std::string_view digits) {
    const auto one_of = [&](std::size_t i) {
      return i < text_.size() && digits.find(text_[i]) != std::string_view::npos;
    };
    while (one_of(from) || (has(from, "_") && one_of(from + 1))) ++from;
    return from;
  };
  if (text_[at_] != '0') return digits_end(at_);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kBases{
      {{"bB", "01"}, {"oO", "01234567"}, {"xX", "0123456789abcdefABCDEF"}}};
  for (const auto& [letters, digits] : kBases) {
    if (at_ + 1 < text_.size() && letters.find(text_[at_ + 1]) != std::string_view::npos) {
      const std::size_t end = run(at_ + 2, digits);
      if (end > at_ + 2) return end;
    }
  }
  return run(at_ + 1, "0");
}

Token Lexer::name() {
  const std::size_t begin = at_;
  bool valid = true;
  while (at_ < text_.size()) {
    const utf8::CodePoint c = utf8::decode(text_, at_);
    const bool first = at_ == begin;
    const bool part =
        first ? unicode::is_identifier_start(c.value) || c.value == '_' : unicode::is_identifier_part(c.value);
    if (!part && !unicode::is_word(c.value) && !unicode::is_identifier_part(c.value)) break;
    valid = valid && part;
    at_ += c.size;
  }
  const Token result = token(TokenKind::Name, begin, at_);
  if (valid) return result;
  if (!quiet_) {
    sink_.report(diag::not_a_name, result.span, std::string(result.text))
        .note("names are made of letters, digits and `_`, and don't start with a digit");
  }
  return fault();
}

// A quoted string; empty if it is unterminated.
std::optional<Token> Lexer::string() {
  const std::size_t begin = at_;
  const char quote = text_[begin];
  std::size_t end = begin + 1;
  while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return std::nullopt;
  at_ = end + 1;
  Token result = token(TokenKind::String, begin, at_);
  const std::string_view raw = text_.substr(begin + 1, end - begin - 1);
  if (raw.find_first_of("\\\n") == std::string_view::npos) {
    result.text = raw;
    return result;
  }
  const StringLiteral literal = unescape(raw, options_.newline_sequence);
  if (literal.fault.empty()) {
    result.text = arena_.text(literal.text);
    return result;
  }
  if (!quiet_) {
    // Jinja2 reports the line on which the string starts.
    const bool first_line = raw.substr(0, literal.fault_begin).find('\n') == std::string_view::npos;
    const std::size_t from = begin + 1;
    const Span escape = span(from + literal.fault_begin, from + literal.fault_end);
    sink_
        .report(diag::incomplete_escape, first_line ? escape : result.span,
                std::string(raw.substr(literal.fault_begin, literal.fault_end - literal.fault_begin)))
        .note(literal.fault);
  }
  return fault();
}

// Matches brackets, because the end of a tag is only searched outside of them.
std::optional<Token> Lexer::bracket(TokenKind kind, std::size_t begin) {
  const char c = text_[begin];
  if (kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket || kind == TokenKind::LeftBrace) {
    brackets_.push_back(begin);
    return std::nullopt;
  }
  if (kind != TokenKind::RightParen && kind != TokenKind::RightBracket && kind != TokenKind::RightBrace) {
    return std::nullopt;
  }
  const std::optional<std::size_t> open = brackets_.empty() ? std::nullopt : std::optional(brackets_.back());
  if (open) brackets_.pop_back();
  if (open && closing_bracket(text_[*open]) == c) return std::nullopt;
  const Span place = token(kind, begin, begin + 1).span;
  if (quiet_) return fault();
  if (open) {
    sink_.report(diag::crossed_brackets, place, std::string(1, c), std::string(1, closing_bracket(text_[*open])))
        .also(span(*open, *open + 1), "opened here");
  } else {
    Diagnostic& diagnostic = sink_.report(diag::stray_bracket, place, std::string(1, c));
    const std::string_view end = state_ == State::Variable ? options_.variable_end : options_.block_end;
    if (state_ != State::LineStatement && end.ends_with(c)) diagnostic.advise(fmt::format("write `{}`", end));
  }
  return fault();
}

Token Lexer::unexpected_character() {
  const utf8::CodePoint c = utf8::decode(text_, at_);
  const Token result = token(TokenKind::Fault, at_, at_ + c.size);
  if (!quiet_) {
    if (c.value == '\'' || c.value == '"') {
      sink_.report(diag::unclosed_string, result.span).advise(fmt::format("close it with `{}`", result.text));
    } else {
      Diagnostic& said = sink_.report(diag::unexpected_character, result.span, std::string(result.text));
      for (const Foreign& foreign : kForeign) {
        if (!has(at_, foreign.text)) continue;
        said.advise(fmt::format("write {}", foreign.meant));
        break;
      }
    }
  }
  return fault();
}

bool Lexer::opening_at(std::size_t offset) const {
  const auto opens = [&](std::string_view delimiter) { return !delimiter.empty() && has(offset, delimiter); };
  return opens(options_.block_start) || opens(options_.variable_start) || opens(options_.comment_start);
}

void Lexer::skip_tag() {
  quiet_ = true;
  while (state_ != State::Text && !failed_) {
    const std::size_t begin = skip_space(at_);
    if (opening_at(begin)) break;
    if (next_in_tag().kind == TokenKind::EndOfTemplate) break;
  }
  if (state_ != State::Text) search_end();
  failed_ = false;
  quiet_ = false;
  brackets_.clear();
}

// Ignores strings and brackets: skips to the end of the tag, the next opening delimiter or the end of the text.
void Lexer::search_end() {
  brackets_.clear();
  if (state_ == State::LineStatement) at_ = std::min(text_.find('\n', at_), text_.size());
  for (; at_ < text_.size(); ++at_) {
    if (opening_at(at_) || end_of_tag()) break;
  }
  state_ = State::Text;
}

}  // namespace capwright::jinja
