// Operations on text that keep its map: parts, stripped ends, lines, joined pieces. Shared by methods and filters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// Bytes [begin, end) of a String with their map, origin, taint; Markup stays Markup.
Value text_part(Runtime&, const Value& text, std::size_t begin, std::size_t end);

enum class Sides : std::uint8_t { Left = 1, Right = 2, Both = 3 };
// strip(), lstrip(), rstrip(): `chars` is none (white space) or a str of characters; `name` is for the message.
Value strip_text(Runtime&, const Value& text, const Value& chars, Sides sides, std::string_view name);

// The end of the line that starts at `begin`, as in str.splitlines(), and the start of the next one.
struct LineEnd {
  std::size_t end;
  std::size_t next;
};
LineEnd line_end(std::string_view text, std::size_t begin);

// str.replace(): the first `count` matches, all if negative. A text without matches is returned unchanged.
Value replace_text(Runtime&, const Value& text, std::string_view from, std::string_view to, std::int64_t count);

// Joins Strings by a separator, with exact maps.
class TextJoiner {
 public:
  TextJoiner(Runtime& runtime, const Value& separator) : runtime_(runtime), separator_(separator) {}
  // False, and reported, if a limit is reached or `piece` is an error.
  bool add(const Value& piece);
  Value text();

 private:
  Runtime& runtime_;
  const Value& separator_;
  Value only_;  // the first piece, as long as it is the only one: returned unchanged
  MappedText out_;
  std::size_t count_ = 0;
};

}  // namespace capwright::jinja
