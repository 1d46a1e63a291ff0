// The text between tags: finding the next opening delimiter, whitespace control, comments and raw blocks.
#include "template/syntax/lexer.h"

#include <algorithm>

#include "base/check.h"
#include "diag/catalog/template_syntax.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v'; }

}  // namespace

Lexer::Lexer(const TemplateText& text, const Options& options, Arena& arena, Sink& sink)
    : source_(text), text_(text.text()), options_(options), arena_(arena), sink_(sink) {
  // The final tie-breaker, between delimiters of one length.
  delimiters_ = {{TagKind::Variable, options.variable_start},
                 {TagKind::LineStatement, options.line_statement_prefix},
                 {TagKind::LineComment, options.line_comment_prefix},
                 {TagKind::Comment, options.comment_start},
                 {TagKind::Block, options.block_start}};
  std::erase_if(delimiters_, [](const Delimiter& d) { return d.text.empty(); });
  std::stable_sort(delimiters_.begin(), delimiters_.end(),
                   [](const Delimiter& a, const Delimiter& b) { return a.text.size() > b.text.size(); });
  for (const Delimiter& d : delimiters_) {
    const bool by_line = d.kind == TagKind::LineStatement || d.kind == TagKind::LineComment;
    by_line_ = by_line_ || by_line;
    if (!by_line) starts_[static_cast<unsigned char>(d.text.front())] = true;
  }
}

Token Lexer::next() {
  while (!failed_) {
    if (state_ != State::Text) return next_in_tag();
    if (const std::optional<Token> token = next_in_text()) return *token;
  }
  Token token = last_;
  token.kind = TokenKind::Fault;
  return token;
}

std::optional<Token> Lexer::next_in_text() {
  if (pending_) {
    const Tag tag = *pending_;
    pending_.reset();
    return enter(tag);
  }
  if (at_ == text_.size()) return end_of_template();
  const std::size_t begin = at_;
  pending_ = find_tag();
  if (pending_) return data(begin, pending_->begin, *pending_);
  at_ = text_.size();
  return data(begin, at_, Tag{TagKind::Variable, at_, at_, '+'});
}

std::optional<Lexer::Tag> Lexer::find_tag() const {
  for (std::size_t i = at_; i < text_.size(); ++i) {
    if (!by_line_ && !starts_[static_cast<unsigned char>(text_[i])]) continue;
    if (const std::optional<Tag> tag = tag_at(i)) return tag;
  }
  return std::nullopt;
}

std::optional<Lexer::Tag> Lexer::tag_at(std::size_t offset) const {
  if (const std::optional<Tag> raw = raw_at(offset)) return raw;
  for (const Delimiter& delimiter : delimiters_) {
    const std::optional<std::size_t> prefix = prefix_at(offset, delimiter);
    if (!prefix) continue;
    Tag tag{delimiter.kind, offset, *prefix + delimiter.text.size()};
    if (has(tag.end, "-") || has(tag.end, "+")) tag.sign = text_[tag.end++];
    return tag;
  }
  return std::nullopt;
}

// The offset of the delimiter, if a tag that it opens begins at `offset`. A line statement begins at the start of its
// line; a line comment begins there or after a visible character.
std::optional<std::size_t> Lexer::prefix_at(std::size_t offset, const Delimiter& delimiter) const {
  std::size_t at = offset;
  const bool at_line_start = offset == 0 || text_[offset - 1] == '\n';
  if (delimiter.kind == TagKind::LineStatement) {
    if (!at_line_start) return std::nullopt;
    while (at < text_.size() && is_blank(text_[at])) ++at;
  } else if (delimiter.kind == TagKind::LineComment) {
    if (!at_line_start && space_at(utf8::previous(text_, offset))) return std::nullopt;
    while (space_at(at) && text_[at] != '\n') at += utf8::decode(text_, at).size;
  }
  return has(at, delimiter.text) ? std::optional(at) : std::nullopt;
}

// `{%` sign? space* "raw" space* ( `-%}` space* | `%}` )
std::optional<Lexer::Tag> Lexer::raw_at(std::size_t offset) const {
  if (options_.block_start.empty() || !has(offset, options_.block_start)) return std::nullopt;
  Tag tag{TagKind::Raw, offset, offset + options_.block_start.size()};
  if (has(tag.end, "-") || has(tag.end, "+")) tag.sign = text_[tag.end++];
  tag.end = skip_space(tag.end);
  if (!has(tag.end, "raw")) return std::nullopt;
  tag.end = skip_space(tag.end + 3);
  if (has(tag.end, "-") && has(tag.end + 1, options_.block_end)) {
    tag.end = skip_space(tag.end + 1 + options_.block_end.size());
    return tag;
  }
  if (!has(tag.end, options_.block_end)) return std::nullopt;
  tag.end += options_.block_end.size();
  return tag;
}

// The text [begin, end) before a tag; empty if whitespace control removes all of it.
std::optional<Token> Lexer::data(std::size_t begin, std::size_t end, const Tag& before) {
  end = stripped_end(begin, end, before);
  if (end == begin) return std::nullopt;
  Token result = token(TokenKind::Data, begin, end);
  if (options_.newline_sequence != "\n" && result.text.find('\n') != std::string_view::npos) {
    std::string replaced;
    for (const char c : result.text) c == '\n' ? replaced.append(options_.newline_sequence) : replaced.append(1, c);
    result.text = arena_.text(replaced);
  }
  last_ = result;
  return result;
}

std::size_t Lexer::stripped_end(std::size_t begin, std::size_t end, const Tag& before) const {
  if (before.sign == '-') {
    while (end > begin && space_at(utf8::previous(text_, end))) end = utf8::previous(text_, end);
    return end;
  }
  if (before.sign == '+' || !options_.lstrip_blocks || before.kind == TagKind::Variable) return end;
  // Removes blanks between the last line break and the tag, if there is nothing else between them.
  std::size_t line_start = end;
  while (line_start > begin && text_[line_start - 1] != '\n') --line_start;
  if (line_start == begin && !after_line_break_) return end;
  return skip_space(line_start) >= end ? line_start : end;
}

std::optional<Token> Lexer::enter(const Tag& tag) {
  end_matched(tag.begin, tag.end);
  switch (tag.kind) {
    case TagKind::Comment: return skip_comment(tag);
    case TagKind::Raw: return read_raw(tag);
    case TagKind::LineComment:
      at_ = std::min(text_.find('\n', at_), text_.size());
      end_matched(tag.end, at_);
      return std::nullopt;
    case TagKind::Variable: state_ = State::Variable; return token(TokenKind::VariableBegin, tag.begin, tag.end);
    case TagKind::Block: state_ = State::Block; return token(TokenKind::BlockBegin, tag.begin, tag.end);
    case TagKind::LineStatement: {
      state_ = State::LineStatement;
      std::size_t begin = tag.begin;
      while (is_blank(text_[begin])) ++begin;
      return token(TokenKind::BlockBegin, begin, tag.end);
    }
  }
  CW_UNREACHABLE("a tag has no such kind");
}

std::optional<Token> Lexer::skip_comment(const Tag& tag) {
  const std::string_view close = options_.comment_end;
  const std::size_t end = text_.find(close, tag.end);
  if (end == std::string_view::npos) {
    at_ = text_.size();
    if (tag.end == at_) return std::nullopt;  // Jinja2 accepts a comment that opens at the very end
    text_lost_ = true;
    last_ = token(TokenKind::Fault, tag.begin, tag.end);
    sink_.report(diag::unclosed_comment, last_.span).advise(fmt::format("close it with `{}`", close));
    return fault();
  }
  const char sign = end > tag.end ? text_[end - 1] : '\0';
  at_ = end + close.size();
  if (sign == '-') {
    at_ = skip_space(at_);
  } else if (sign != '+' && options_.trim_blocks && has(at_, "\n")) {
    ++at_;
  }
  end_matched(tag.end, at_);
  return std::nullopt;
}

std::optional<Token> Lexer::read_raw(const Tag& tag) {
  const std::size_t begin = at_;
  Tag end_tag{TagKind::Raw, begin, begin};
  while (end_tag.begin < text_.size() && !raw_end_at(end_tag.begin, end_tag)) {
    end_tag.begin = std::min(text_.find(options_.block_start, end_tag.begin + 1), text_.size());
  }
  if (end_tag.begin == text_.size()) {
    at_ = text_.size();
    if (begin == at_) return std::nullopt;  // as with comments
    text_lost_ = true;
    const std::uint32_t tag_line = line_at(tag.begin);
    const Span tag_span = span(tag.begin, tag.end);
    last_ = token(TokenKind::Fault, begin, begin);
    // Jinja2's line is that of the text after the tag, which may have consumed line breaks.
    sink_.report(diag::unclosed_raw, last_.line == tag_line ? tag_span : last_.span)
        .also(tag_span, "opened here")
        .advise(fmt::format("close it with `{} endraw {}`", options_.block_start, options_.block_end));
    return fault();
  }
  const std::optional<Token> result = data(begin, end_tag.begin, end_tag);
  at_ = end_tag.end;
  end_matched(begin, at_);
  return result;
}

// `{%` sign? space* "endraw" space* ( `+%}` | `-%}` space* | `%}` line break? )
bool Lexer::raw_end_at(std::size_t offset, Tag& end_tag) const {
  if (!has(offset, options_.block_start)) return false;
  std::size_t at = offset + options_.block_start.size();
  end_tag.sign = 0;
  if (has(at, "-") || has(at, "+")) end_tag.sign = text_[at++];
  at = skip_space(at);
  if (!has(at, "endraw")) return false;
  const std::optional<std::size_t> end = closing_at(skip_space(at + 6), options_.block_end);
  if (end) end_tag.end = *end;
  return end.has_value();
}

// The matched text ends here: its last character matters for lstrip_blocks.
void Lexer::end_matched(std::size_t begin, std::size_t end) {
  at_ = end;
  after_line_break_ = end > begin && text_[end - 1] == '\n';
}

bool Lexer::space_at(std::size_t offset) const {
  return offset < text_.size() && unicode::is_space(utf8::decode(text_, offset).value);
}

std::size_t Lexer::skip_space(std::size_t offset) const {
  while (space_at(offset)) offset += utf8::decode(text_, offset).size;
  return std::min(offset, text_.size());
}

// Offsets are requested in rising order, or slightly before: then the line is that of the largest offset so far.
std::uint32_t Lexer::line_at(std::size_t offset) {
  if (offset > counted_to_) {
    const std::string_view between = text_.substr(counted_to_, offset - counted_to_);
    line_ += static_cast<std::uint32_t>(std::count(between.begin(), between.end(), '\n'));
    counted_to_ = offset;
  }
  return line_;
}

Token Lexer::token(TokenKind kind, std::size_t begin, std::size_t end) {
  return last_ = {kind, line_at(begin), span(begin, end), text_.substr(begin, end - begin)};
}

Token Lexer::fault() {
  failed_ = true;
  last_.kind = TokenKind::Fault;
  return last_;
}

// Jinja2 reports a missing part at the end on the line where the last token starts; so this token has that span.
Token Lexer::end_of_template() {
  const Span end = span(text_.size(), text_.size());
  if (last_.kind == TokenKind::EndOfTemplate && last_.span.known()) return last_;
  const bool same_line = line_at(text_.size()) == last_.line;
  last_.kind = TokenKind::EndOfTemplate;
  last_.span = same_line || !last_.span.known() ? end : last_.span;
  last_.text = {};
  return last_;
}

}  // namespace capwright::jinja
