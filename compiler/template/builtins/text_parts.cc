// Cuts and joins text together with its map.
#include "template/builtins/text_parts.h"

#include <algorithm>
#include <string>

#include "template/builtins/operands.h"
#include "text/search.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// The characters to strip: white space, or those of a text.
class CharacterSet {
 public:
  explicit CharacterSet(const Value& chars)
      : spaces_(!chars.is(Kind::String)), points_(spaces_ ? std::u32string() : utf8::decode_all(chars.text())) {
    std::sort(points_.begin(), points_.end());
  }
  bool has(char32_t c) const {
    return spaces_ ? unicode::is_space(c) : std::binary_search(points_.begin(), points_.end(), c);
  }

 private:
  bool spaces_;
  std::u32string points_;
};

bool includes(Sides sides, Sides side) {
  return (static_cast<std::uint8_t>(sides) & static_cast<std::uint8_t>(side)) != 0;
}

}  // namespace

Value text_part(Runtime& runtime, const Value& text, std::size_t begin, std::size_t end) {
  if (begin == 0 && end == text.text().size()) return text;
  return runtime.substring(text, begin, end).as_markup(text.is_markup());
}

Value strip_text(Runtime& runtime, const Value& text, const Value& chars, Sides sides, std::string_view name) {
  if (!chars.is(Kind::String) && !chars.is(Kind::Null)) {
    if (!runtime.usable(chars)) return Value::error();
    return wrong_type(runtime, std::string(name) + " arg must be None or str");
  }
  runtime.look_at(chars);
  const CharacterSet set(chars);
  const std::string_view bytes = text.text();
  std::size_t begin = 0, end = bytes.size();
  while (includes(sides, Sides::Left) && begin < end) {
    const utf8::CodePoint point = utf8::decode(bytes, begin);
    if (!set.has(point.value)) break;
    begin += point.size;
  }
  while (includes(sides, Sides::Right) && end > begin) {
    const std::size_t before = utf8::previous(bytes, end);
    if (!set.has(utf8::decode(bytes, before).value)) break;
    end = before;
  }
  return text_part(runtime, text, begin, end);
}

LineEnd line_end(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; at < text.size();) {
    if (static_cast<signed char>(text[at]) >= ' ') {  // most are ASCII, and not control characters
      ++at;
      continue;
    }
    const utf8::CodePoint point = utf8::decode(text, at);
    if (unicode::is_line_break(point.value)) {
      const bool crlf = point.value == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
      return {at, at + (crlf ? 2 : point.size)};
    }
    at += point.size;
  }
  return {text.size(), text.size()};
}

Value replace_text(Runtime& runtime, const Value& text, std::string_view from, std::string_view to,
                   std::int64_t count) {
  const std::string_view bytes = text.text();
  std::uint64_t left = count < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(count);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; left > 0; --left) {
    const std::size_t found = find_text(bytes, from, at);
    if (found == std::string_view::npos) break;
    out.append(bytes, copied, found - copied).append(to);
    if (!runtime.room_for_text(out.size())) return Value::error();
    copied = found + from.size();
    // An empty text matches before each character and at the end.
    if (from.empty() && found >= bytes.size()) break;
    at = from.empty() ? found + utf8::decode(bytes, found).size : copied;
  }
  if (copied == 0 && out.empty()) return text;
  out.append(bytes, copied, std::string_view::npos);
  return runtime.derived(text_result(runtime, out), text.origin(), text.tainted());
}

bool TextJoiner::add(const Value& piece) {
  if (piece.is_error() || !runtime_.step()) return false;
  const std::uint64_t size = std::uint64_t{out_.size()} + piece.text().size() + separator_.text().size();
  if (!runtime_.room_for_text(size)) return false;
  if (count_++ > 0) runtime_.append(out_, separator_);
  runtime_.append(out_, piece);
  only_ = piece;
  return true;
}

Value TextJoiner::text() {
  if (count_ == 1) return only_;
  return runtime_.mapped_string(out_);
}

}  // namespace capwright::jinja
