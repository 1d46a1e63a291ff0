// The `wordwrap` filter: wraps lines as Python's textwrap does.
#include <algorithm>

#include "diag/catalog/template_operations.h"
#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

using Chunk = std::u32string_view;

struct Wrapping {
  std::int64_t width;
  bool break_long_words;
  bool break_on_hyphens;
};

// The white space at which textwrap splits: ASCII only.
bool is_gap(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word_letter(char32_t c) { return unicode::is_word(c) && !unicode::is_decimal(c); }
bool ends_before_dash(char32_t c) {
  return unicode::is_word(c) ||
         (c < 0x80 && std::string_view("!\"'&.,?").find(static_cast<char>(c)) != std::string_view::npos);
}

// Splits a line into words, gaps and dashes, without losing characters.
class Chunker {
 public:
  Chunker(std::u32string_view line, bool break_on_hyphens) : line_(line), hyphens_(break_on_hyphens) {}

  std::vector<Chunk> chunks() const {
    std::vector<Chunk> result;
    for (std::size_t at = 0; at < line_.size();) {
      const std::size_t end = chunk_end(at);
      result.push_back(line_.substr(at, end - at));
      at = end;
    }
    return result;
  }

 private:
  char32_t at(std::size_t i) const { return i < line_.size() ? line_[i] : U'\0'; }

  std::size_t chunk_end(std::size_t begin) const {
    std::size_t end = begin;
    if (is_gap(line_[begin])) {
      while (end < line_.size() && is_gap(line_[end])) ++end;
      return end;
    }
    if (!hyphens_) {
      while (end < line_.size() && !is_gap(line_[end])) ++end;
      return end;
    }
    if (const std::size_t dash = dash_end(begin); dash != 0) return dash;
    for (end = begin + 1; end < line_.size() && !is_gap(line_[end]); ++end) {
      if (splits_after(end)) return end + 1;
      if (dash_end(end) != 0) return end;
    }
    return end;
  }

  // The end of two or more hyphens between words; 0 if there are none.
  std::size_t dash_end(std::size_t begin) const {
    if (begin == 0 || at(begin) != '-' || at(begin + 1) != '-' || !ends_before_dash(line_[begin - 1])) return 0;
    std::size_t end = begin;
    while (at(end) == '-') ++end;
    return end < line_.size() && unicode::is_word(line_[end]) ? end : 0;
  }

  // A hyphen inside a word, with letters on both sides.
  bool splits_after(std::size_t hyphen) const {
    if (line_[hyphen] != '-' || hyphen < 2) return false;
    const bool after_two = is_word_letter(line_[hyphen - 1]) && is_word_letter(line_[hyphen - 2]);
    const bool after_pair = hyphen >= 3 && is_word_letter(line_[hyphen - 1]) && line_[hyphen - 2] == '-' &&
                            is_word_letter(line_[hyphen - 3]);
    if (!after_two && !after_pair) return false;
    if (hyphen + 1 >= line_.size() || !is_word_letter(line_[hyphen + 1])) return false;
    const std::size_t next = at(hyphen + 2) == '-' ? hyphen + 3 : hyphen + 2;
    return next < line_.size() && is_word_letter(line_[next]);
  }

  std::u32string_view line_;
  bool hyphens_;
};

bool is_blank_chunk(Chunk chunk) { return std::all_of(chunk.begin(), chunk.end(), unicode::is_space); }

// The size of the part for this line, of a chunk that is too long for any line.
std::size_t piece_size(Chunk chunk, std::size_t room, bool break_on_hyphens) {
  if (!break_on_hyphens || chunk.size() <= room || room == 0) return room;
  const std::size_t hyphen = chunk.substr(0, room).rfind(U'-');
  if (hyphen == Chunk::npos || hyphen == 0) return room;
  const bool only_hyphens = chunk.substr(0, hyphen).find_first_not_of(U'-') == Chunk::npos;
  return only_hyphens ? room : hyphen + 1;
}

std::vector<std::u32string> wrap_line(std::u32string_view line, const Wrapping& wrapping) {
  const auto width = static_cast<std::size_t>(wrapping.width);
  std::vector<Chunk> chunks = Chunker(line, wrapping.break_on_hyphens).chunks();
  std::vector<std::u32string> lines;
  for (std::size_t next = 0; next < chunks.size();) {
    if (!lines.empty() && is_blank_chunk(chunks[next])) ++next;
    std::vector<Chunk> taken;
    std::size_t length = 0;
    for (; next < chunks.size() && length + chunks[next].size() <= width; ++next) {
      taken.push_back(chunks[next]);
      length += chunks[next].size();
    }
    if (next < chunks.size() && chunks[next].size() > width) {
      Chunk& chunk = chunks[next];
      if (wrapping.break_long_words) {
        const std::size_t size = piece_size(chunk, width - length, wrapping.break_on_hyphens);
        taken.push_back(chunk.substr(0, size));
        chunk.remove_prefix(size);
      } else if (taken.empty()) {
        taken.push_back(chunks[next++]);
      }
    }
    if (!taken.empty() && is_blank_chunk(taken.back())) taken.pop_back();
    if (taken.empty()) continue;
    std::u32string& joined = lines.emplace_back();
    for (const Chunk chunk : taken) joined += chunk;
  }
  return lines;
}

std::optional<Wrapping> read_wrapping(Runtime& runtime, const BoundArguments& arguments) {
  const auto width = index_argument(runtime, arguments[1]);
  const auto break_long_words = truth_of(runtime, arguments[2]);
  const auto break_on_hyphens = truth_of(runtime, arguments[4]);
  if (!width || !break_long_words || !break_on_hyphens) return std::nullopt;
  return Wrapping{*width, *break_long_words, *break_on_hyphens};
}

}  // namespace

Value wordwrap_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& s = arguments[0];
  const auto wrapping = read_wrapping(runtime, arguments);
  if (!wrapping) return Value::error();
  if (s.is(Kind::Undefined)) return runtime.fail_undefined(s);
  if (!s.is(Kind::String)) {
    return runtime.fail_as(diag::missing_attribute.info,
                           "'" + std::string(runtime.type_name(s)) + "' object has no attribute 'splitlines'");
  }
  const Value separator = arguments[3].is(Kind::Null) ? runtime.string(runtime.options.newline_sequence) : arguments[3];
  if (!separator.is(Kind::String)) {
    return runtime.usable(separator)
               ? runtime.fail_as(diag::missing_attribute.info,
                                 "`wrapstring` must be text, not '" + std::string(runtime.type_name(separator)) + "'")
               : Value::error();
  }
  const std::string_view text = s.text();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const LineEnd end = line_end(text, at);
    if (at != 0) out += separator.text();
    if (wrapping->width <= 0) {
      return wrong_value(runtime, "invalid width " + std::to_string(wrapping->width) + " (must be > 0)");
    }
    bool first = true;
    for (const std::u32string& line : wrap_line(utf8::decode_all(text.substr(at, end.end - at)), *wrapping)) {
      if (!std::exchange(first, false)) out += separator.text();
      out += utf8::encode_all(line);
      if (!runtime.step() || !runtime.room_for_text(out.size())) return Value::error();
    }
    at = end.next;
  }
  return text_result(runtime, out, separator.is_markup());
}

}  // namespace capwright::jinja
