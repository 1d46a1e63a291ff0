// See tabs.h. All places are offsets of the text; lines end with
// , also after a \r.
#include "yaml/tabs.h"

#include <algorithm>

namespace capwright::yaml {
namespace {

std::uint32_t at_most(std::size_t at, std::string_view text) {
  return static_cast<std::uint32_t>(std::min(at, text.size()));
}

bool is_block_bound(const Event& event) {
  const bool is_bound = event.kind == Event::Kind::ListStart || event.kind == Event::Kind::MapStart ||
                        event.kind == Event::Kind::ListEnd || event.kind == Event::Kind::MapEnd;
  return is_bound && !event.flow;
}

}  // namespace

// White space, comments, and indicators before a value. A key could begin on a new line, and after `-` and `?`.
std::uint32_t Tabs::between_tokens(std::uint32_t end) {
  for (; seen_ < end; ++seen_) {
    const char c = text_[seen_];
    if (c == '\t' && key_may_begin_) return seen_;
    if (c == '#') seen_ = std::min(at_most(text_.find('\n', seen_), text_), end) - 1;
    else if (c == '\n' || c == '-' || c == '?') key_may_begin_ = true;
    else if (c != ' ' && c != '\t' && c != '\r') key_may_begin_ = false;
  }
  return kNone;
}

// Continuation lines, and the blank ones after the text.
std::uint32_t Tabs::in_plain(const Event& event, std::int32_t column) {
  seen_ = at_most(text_.find_first_not_of(" \t\r\n", event.end), text_);
  for (std::size_t line = text_.find('\n', event.begin); line < seen_; line = text_.find('\n', line + 1)) {
    const std::uint32_t content = at_most(text_.find_first_not_of(' ', line + 1), text_);
    const bool is_left = static_cast<std::int32_t>(content - line - 1) <= column;
    if (content < seen_ && text_[content] == '\t' && is_left) return content;
  }
  return kNone;
}

// Blank lines, and the first one with text.
std::uint32_t Tabs::in_block(const Event& event, std::int32_t column) {
  std::int32_t indent = 0;  // 0: not known yet
  for (const char c : text_.substr(event.begin + 1, 2)) {
    if (c >= '1' && c <= '9') indent = std::max(column, 0) + (c - '0');
  }
  for (seen_ = at_most(text_.find('\n', event.begin), text_); seen_ < text_.size();) {
    const std::uint32_t content = at_most(text_.find_first_not_of(' ', seen_ + 1), text_);
    const auto spaces = static_cast<std::int32_t>(content - seen_ - 1);
    const char first = content < text_.size() ? text_[content] : '\n';
    if (indent == 0 || spaces < indent) {
      if (first == '\t') return content;
      const bool is_blank = first == '\n' || first == '\r';
      if (!is_blank && (indent != 0 || spaces <= column)) break;
      if (!is_blank) indent = spaces;
    }
    seen_ = at_most(text_.find('\n', content), text_);
  }
  return kNone;
}

std::uint32_t Tabs::in_token(const Event& event, std::int32_t column) {
  const bool is_scalar = event.kind == Event::Kind::Scalar;
  if (is_scalar && event.begin == event.end) return kNone;  // a missing value
  key_may_begin_ = false;
  if (is_scalar && event.style == ScalarStyle::Plain) return in_plain(event, column);
  if (is_scalar && (event.style == ScalarStyle::Literal || event.style == ScalarStyle::Folded))
    return in_block(event, column);
  seen_ = std::max(seen_, event.end);
  return kNone;
}

std::uint32_t Tabs::refused(const Event& event, std::int32_t column, bool in_brackets) {
  if (!has_any_ || event.kind == Event::Kind::DocumentEnd) return kNone;
  const auto pass_over = [&](std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t tab = in_brackets ? kNone : between_tokens(begin);
    seen_ = std::max(seen_, end);
    key_may_begin_ = key_may_begin_ && begin == end;
    return tab;
  };
  if (!event.anchor.empty()) {
    const auto name = static_cast<std::uint32_t>(event.anchor.data() - text_.data());
    const auto end = name + static_cast<std::uint32_t>(event.anchor.size());
    if (const std::uint32_t tab = pass_over(name - 1, end); tab != kNone) return tab;
  }
  if (!event.tag.empty()) {
    if (const std::uint32_t tab = pass_over(event.tag_begin, event.tag_end); tab != kNone) return tab;
  }
  if (is_block_bound(event)) return kNone;
  const std::uint32_t begin = event.kind == Event::Kind::StreamEnd ? at_most(text_.size(), text_) : event.begin;
  if (const std::uint32_t tab = pass_over(begin, begin); tab != kNone) return tab;
  return in_token(event, column);
}

}  // namespace capwright::yaml
