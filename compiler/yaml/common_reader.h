// The state of the fast path: one descent over the lines of a text. common_yaml.cc reads documents and block
// collections, common_flow.cc collections in brackets. Every reading function returns false at the first form that it
// doesn't fully support; the caller then discards all results.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/wide.h"
#include "yaml/events.h"

namespace capwright::yaml {

constexpr std::uint32_t kLongestKey = 1000;  // YAML allows 1024 characters in a key on one line

class CommonReader {
 public:
  CommonReader(std::string_view text, std::uint32_t start, std::uint32_t depth, Arena& arena)
      : text_(text), at_(start), levels_left_(depth), arena_(arena) {
    events_.reserve(text.size() / 8);
  }
  bool read();
  std::vector<Event> take() { return std::move(events_); }

 private:
  static constexpr std::uint32_t kNoColon = 0;  // offset 0 is never a colon

  // The content of a line, without its indentation.
  struct Line {
    std::uint32_t begin = 0;   // of its first character that isn't a space
    std::int32_t column = -1;  // -1: no more lines in this document
  };

  bool document(bool explicit_start);
  bool next_line();
  bool is_marker(std::uint32_t line_begin, std::string_view marker) const;
  bool block(std::int32_t column);
  bool block_list(std::int32_t column);
  bool block_map(std::int32_t column);
  bool key();
  bool value(std::int32_t parent, bool list_may_stand_at_parent, std::uint32_t announced_at);
  bool item(std::int32_t parent);
  bool inline_value(std::int32_t parent, bool is_item);
  std::string_view name_of_anchor();
  bool anchor();
  bool alias();
  bool plain();
  bool quoted();
  bool double_quoted_escapes(std::uint32_t begin, std::uint32_t end);
  bool block_scalar(std::int32_t parent);
  bool flow();
  bool flow_list();
  bool flow_map();
  bool flow_value();
  bool flow_scalar();
  bool flow_plain();
  bool flow_space();
  bool end_of_line();

  char look(std::uint32_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  bool blank(std::uint32_t ahead) const { return look(ahead) == ' ' || look(ahead) == '\n'; }
  bool is_item_here() const { return look() == '-' && blank(1); }
  bool is_key_here() const { return colon_of_key() != kNoColon; }
  std::uint32_t colon_of_key() const;
  // The next of these characters from `from` on, or the end of the text.
  template <char... wanted>
  std::uint32_t next_of(std::uint32_t from) const {
    while (from + sizeof(Wide) <= text_.size()) {
      const Wide bytes = wide_at(text_.data() + from);
      const std::uint32_t first = first_of(((bytes == wanted) | ...));
      from += first;
      if (first < sizeof(Wide)) return from;
    }
    while (from < text_.size() && ((text_[from] != wanted) && ...)) ++from;
    return from;
  }
  // The end of the part of a plain or quoted text that needs no further checks.
  std::uint32_t end_of_plain(std::uint32_t from) const { return next_of<'\n', ':', '#', '\t'>(from); }
  std::uint32_t end_of_quoted(std::uint32_t from) const { return next_of<'\n', '"', '\'', '\\'>(from); }
  std::uint32_t line_end(std::uint32_t from) const {
    return static_cast<std::uint32_t>(std::min(text_.find('\n', from), text_.size()));
  }
  void skip_line() {
    at_ = look() == '\n' ? at_ : line_end(at_);
    if (at_ < text_.size()) ++at_;
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  void emit(Event::Kind kind, std::uint32_t begin, std::uint32_t end, bool flow = false) {
    events_.push_back({kind, ScalarStyle::None, flow, begin, end, {}, std::exchange(anchor_, {})});
  }
  void emit_scalar(ScalarStyle style, std::uint32_t begin, std::uint32_t end, std::string_view text) {
    events_.push_back({Event::Kind::Scalar, style, false, begin, end, text, std::exchange(anchor_, {})});
  }
  bool deeper() { return levels_left_-- > 0; }

  std::string_view text_;
  std::uint32_t at_;
  Line line_;  // the next content line, once at_ is at the end of a line
  std::uint32_t levels_left_;
  std::string_view anchor_;  // of the next event
  Arena& arena_;
  std::vector<Event> events_;
};

}  // namespace capwright::yaml
