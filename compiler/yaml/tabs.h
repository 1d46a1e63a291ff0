// Tabs that Kubernetes' YAML readers reject and libfyaml accepts. The rules are those of libyaml's scanner, which
// go-yaml translates: a tab is white space except where a key could begin, where it is an error; in plain texts and
// blocks a tab is an error if it is left of the text.
#pragma once
#include <cstdint>
#include <string_view>

#include "yaml/events.h"

namespace capwright::yaml {

class Tabs {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // `start`: the offset of the first document, after a byte order mark.
  Tabs(std::string_view text, std::uint32_t start)
      : text_(text), has_any_(text.find('\t') != std::string_view::npos), seen_(start) {}

  // The offset of a rejected tab between the previous event and the end of this one. Needs all events in order.
  // `column`: of the innermost open block collection, -1 for none.
  std::uint32_t refused(const Event&, std::int32_t column, bool in_brackets);

 private:
  std::uint32_t between_tokens(std::uint32_t end);
  std::uint32_t in_token(const Event&, std::int32_t column);
  std::uint32_t in_plain(const Event&, std::int32_t column);
  std::uint32_t in_block(const Event&, std::int32_t column);

  std::string_view text_;
  bool has_any_;
  std::uint32_t seen_;  // the text up to here is checked
  bool key_may_begin_ = true;
};

}  // namespace capwright::yaml
