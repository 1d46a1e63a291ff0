// Tabs that Kubernetes' readers of YAML refuse and libfyaml doesn't. The rules are those of libyaml's scanner, of which
// go-yaml is a translation: a tab is white space but where a key could begin, and a fault there; in plain texts and
// blocks it is one left of the text.
#pragma once
#include <cstdint>
#include <string_view>

#include "yaml/events.h"

namespace capwright::yaml {

class Tabs {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // `start`: where the documents begin, behind a byte order mark.
  Tabs(std::string_view text, std::uint32_t start)
      : text_(text), has_any_(text.find('\t') != std::string_view::npos), seen_(start) {}

  // Where one is that is refused, between the event before and the end of this one. Wants all events in order.
  // `column`: of the innermost block collection that is open, -1 for none.
  std::uint32_t refused(const Event&, std::int32_t column, bool in_brackets);

 private:
  std::uint32_t between_tokens(std::uint32_t end);
  std::uint32_t in_token(const Event&, std::int32_t column);
  std::uint32_t in_plain(const Event&, std::int32_t column);
  std::uint32_t in_block(const Event&, std::int32_t column);

  std::string_view text_;
  bool has_any_;
  std::uint32_t seen_;  // up to here
  bool key_may_begin_ = true;
};

}  // namespace capwright::yaml
