// Documents, block collections and scalars. Brackets are in common_flow.cc.
#include "yaml/common_yaml.h"

#include <algorithm>
#include <string>

#include "yaml/characters.h"
#include "yaml/common_reader.h"
#include "yaml/scalar_text.h"

namespace capwright::yaml {
namespace {

constexpr CharacterSet kPlainWithWord{"-?:"};  // start a plain text only before another character
constexpr CharacterSet kNoKeyStart{"[]{},#&*!|>%@`"};
constexpr CharacterSet kNoPlainStart{"]},#&*!>%@`"};

}  // namespace

bool CommonReader::is_marker(std::uint32_t line_begin, std::string_view marker) const {
  if (text_.substr(line_begin, 3) != marker) return false;
  return line_begin + 3 >= text_.size() || text_[line_begin + 3] == ' ' || text_[line_begin + 3] == '\n';
}

// Finds the next line with content, from the start of a line; at_ is then its first character. False if there is a tab
// in its indentation.
bool CommonReader::next_line() {
  while (true) {
    const std::uint32_t begin = at_;
    skip_spaces();
    line_ = {at_, static_cast<std::int32_t>(at_ - begin)};
    const bool may_be_marker = at_ == begin && (look() == '-' || look() == '.');
    if (at_ >= text_.size() || (may_be_marker && (is_marker(begin, "---") || is_marker(begin, "...")))) {
      at_ = begin;
      line_.column = -1;
      return true;
    }
    if (text_[at_] == '\t') return false;
    if (text_[at_] != '\n' && text_[at_] != '#') return true;
    skip_line();
  }
}

// After a complete value: spaces and a comment may follow.
bool CommonReader::end_of_line() {
  const std::uint32_t begin = at_;
  skip_spaces();
  if (look() == '#' && at_ == begin) return false;
  if (look() != '#' && look() != '\n') return false;
  skip_line();
  return next_line();
}

bool CommonReader::read() {
  if (!next_line()) return false;
  bool explicit_start = false;
  while (true) {
    if (line_.column < 0 && at_ < text_.size() && is_marker(at_, "---")) {
      explicit_start = true;
    } else if (line_.column < 0) {
      return at_ >= text_.size() && !events_.empty();
    }
    if (!document(explicit_start)) return false;
  }
}

bool CommonReader::document(bool explicit_start) {
  if (explicit_start) {
    emit(Event::Kind::DocumentStart, at_, at_ + 3);
    at_ += 3;
    if (!end_of_line()) return false;
  } else {
    emit(Event::Kind::DocumentStart, at_, at_);
  }
  if (line_.column < 0) return false;  // an empty document
  const char first = text_[at_];
  if (first == '{' || first == '[') {
    if (!flow() || !end_of_line()) return false;
  } else if (!block(line_.column)) {
    return false;
  }
  if (line_.column >= 0) return false;
  emit(Event::Kind::DocumentEnd, at_, at_);
  return true;
}

// A map or list whose first key or `-` is the content of this line.
bool CommonReader::block(std::int32_t column) { return is_item_here() ? block_list(column) : block_map(column); }

bool CommonReader::block_list(std::int32_t column) {
  if (!deeper()) return false;
  emit(Event::Kind::ListStart, at_, at_);
  do {
    if (!item(column)) return false;
  } while (line_.column == column && is_item_here());
  emit(Event::Kind::ListEnd, at_, at_);
  ++levels_left_;
  return line_.column <= column;
}

bool CommonReader::item(std::int32_t parent) {
  const std::uint32_t dash = at_++;
  skip_spaces();
  if (look() == '\n' || look() == '#') return value(parent, false, dash + 1);
  // `- key: value` and `- - item`: a collection that starts on the line of its `-`.
  if (is_item_here() || is_key_here()) return block(parent + static_cast<std::int32_t>(at_ - dash));
  return inline_value(parent, true);
}

bool CommonReader::block_map(std::int32_t column) {
  if (!deeper()) return false;
  emit(Event::Kind::MapStart, at_, at_);
  do {
    if (!key()) return false;
    const std::uint32_t colon = at_++;
    skip_spaces();
    if (!(look() == '\n' || look() == '#' ? value(column, true, colon + 1) : inline_value(column, false))) return false;
  } while (line_.column == column && !is_item_here());
  emit(Event::Kind::MapEnd, at_, at_);
  ++levels_left_;
  return line_.column < column;
}

// The offset of the `:` if the content of this line is `key:`. Only skips quoted text; key() reads it.
std::uint32_t CommonReader::colon_of_key() const {
  const char first = look();
  if (first == '"' || first == '\'') {
    const std::size_t close = text_.substr(0, line_end(at_)).find(first, at_ + 1);
    const bool is_key = close != std::string_view::npos && close + 1 < text_.size() && text_[close + 1] == ':';
    return is_key ? static_cast<std::uint32_t>(close + 1) : kNoColon;
  }
  if (kNoKeyStart.has(first) || (kPlainWithWord.has(first) && blank(1))) return kNoColon;
  for (std::uint32_t i = at_;; ++i) {
    i = end_of_plain(i);
    if (i == text_.size() || text_[i] == '\n' || text_[i] == '\t') return kNoColon;
    if (text_[i] == '#' && text_[i - 1] == ' ') return kNoColon;
    if (text_[i] == ':' && (i + 1 == text_.size() || text_[i + 1] == ' ' || text_[i + 1] == '\n')) return i;
  }
}

// Leaves at_ on the `:`.
bool CommonReader::key() {
  const std::uint32_t begin = at_, colon = colon_of_key();
  if (colon == kNoColon) return false;
  if (look() == '"' || look() == '\'') {
    if (!quoted()) return false;
  } else {
    const auto end = static_cast<std::uint32_t>(text_.find_last_not_of(' ', colon - 1) + 1);
    emit_scalar(ScalarStyle::Plain, begin, end, text_.substr(begin, end - begin));
    at_ = colon;
  }
  return at_ - begin <= kLongestKey && look() == ':' && blank(1);
}

// A value that starts below the line of its `:` or `-`.
bool CommonReader::value(std::int32_t parent, bool list_may_stand_at_parent, std::uint32_t announced_at) {
  if (look() == '#' && text_[at_ - 1] != ' ') return false;
  skip_line();
  if (!next_line()) return false;
  const bool list_here = list_may_stand_at_parent && line_.column == parent && is_item_here();
  if (line_.column > parent || list_here) return block(line_.column);
  emit_scalar(ScalarStyle::Plain, announced_at, announced_at, "");
  return true;
}

// A value on the line of its `:` or `-`, or the target of an anchor there.
bool CommonReader::inline_value(std::int32_t parent, bool is_item) {
  if (look() == '&') {
    if (!anchor() || look() == '*') return false;
    if (look() == '\n') {  // a map or list below, deeper than its key
      skip_line();
      return next_line() && line_.column > parent && block(line_.column);
    }
    if (is_item && (is_item_here() || is_key_here())) return false;  // the anchor belongs to the key
  }
  const char first = look();
  if (first == '|' || first == '>') return block_scalar(parent);
  if (first == '*') {
    if (!alias()) return false;
  } else if (first == '"' || first == '\'') {
    if (!quoted()) return false;
  } else if (first == '[' || first == '{') {
    if (!flow()) return false;
  } else if (!plain()) {
    return false;
  }
  // A more indented next line would belong to the text.
  return end_of_line() && line_.column <= parent;
}

bool CommonReader::plain() {
  const char first = look();
  if (kNoPlainStart.has(first) || (kPlainWithWord.has(first) && blank(1))) return false;
  const std::uint32_t begin = at_;
  for (;; ++at_) {
    at_ = end_of_plain(at_);
    const char c = look();
    if (c == '\n' || (c == '#' && text_[at_ - 1] == ' ')) break;
    if (c == '\t' || (c == ':' && blank(1))) return false;
  }
  const auto end = static_cast<std::uint32_t>(text_.find_last_not_of(' ', at_ - 1) + 1);
  at_ = end;
  emit_scalar(ScalarStyle::Plain, begin, end, text_.substr(begin, end - begin));
  return true;
}

bool CommonReader::quoted() {
  const char quote = look();
  const std::uint32_t begin = at_++;
  bool verbatim = true;
  for (;; ++at_) {
    at_ = end_of_quoted(at_);
    if (look() == '\n') break;
    if (text_[at_] == '\\' && quote == '"') {
      verbatim = false;
      if (look(1) == '\n') return false;
      ++at_;
    } else if (text_[at_] == quote) {
      if (quote == '"' || look(1) != '\'') break;
      verbatim = false;
      ++at_;
    }
  }
  if (look() != quote) return false;
  ++at_;
  if (verbatim) {
    emit_scalar(quote == '"' ? ScalarStyle::DoubleQuoted : ScalarStyle::SingleQuoted, begin, at_,
                text_.substr(begin + 1, at_ - begin - 2));
    return true;
  }
  if (quote == '"') return double_quoted_escapes(begin, at_);
  std::string decoded;
  for (std::uint32_t i = begin + 1; i + 1 < at_; ++i) {
    decoded += text_[i];
    if (text_[i] == '\'') ++i;
  }
  emit_scalar(ScalarStyle::SingleQuoted, begin, at_, arena_.text(decoded));
  return true;
}

// The common escapes; the library reads the others.
bool CommonReader::double_quoted_escapes(std::uint32_t begin, std::uint32_t end) {
  constexpr std::string_view kLetters = "nt\"\\/";
  constexpr std::string_view kMeant = "\n\t\"\\/";
  std::string decoded;
  for (std::uint32_t i = begin + 1; i + 1 < end; ++i) {
    if (text_[i] != '\\') {
      decoded += text_[i];
      continue;
    }
    const std::size_t which = kLetters.find(text_[++i]);
    if (which == std::string_view::npos) return false;
    decoded += kMeant[which];
  }
  emit_scalar(ScalarStyle::DoubleQuoted, begin, end, arena_.text(decoded));
  return true;
}

// The name after `&` or `*`, from characters that are valid in every context; empty if it has others.
std::string_view CommonReader::name_of_anchor() {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  const std::uint32_t begin = ++at_;
  while (is_part(look())) ++at_;
  const bool ends = blank(0) || look() == ',' || look() == ']' || look() == '}';
  return ends ? text_.substr(begin, at_ - begin) : std::string_view();
}

// `&name` and the spaces after it.
bool CommonReader::anchor() {
  anchor_ = name_of_anchor();
  if (anchor_.empty() || !blank(0)) return false;
  skip_spaces();
  return look() != '#' && look() != '&';
}

bool CommonReader::alias() {
  const std::uint32_t begin = at_;
  const std::string_view name = name_of_anchor();
  if (name.empty()) return false;
  events_.push_back({Event::Kind::Alias, ScalarStyle::None, false, begin, at_, name});
  return true;
}

// `|` and `>`, optionally with `-` or `+` after a digit; without a digit the first line with text sets the indentation.
bool CommonReader::block_scalar(std::int32_t parent) {
  const bool is_folded = look() == '>';
  const std::uint32_t begin = at_++;
  const bool says_column = look() >= '1' && look() <= '9';
  const std::int32_t said_column = says_column ? parent + (text_[at_++] - '0') : -1;
  const char chomp = look() == '-' || look() == '+' ? text_[at_++] : ' ';
  std::uint32_t span_end = at_;
  if (look() != '\n' && !(look() == ' ' && (skip_spaces(), look() == '#' || look() == '\n'))) return false;
  at_ = line_end(at_);
  std::string decoded;
  std::size_t breaks = 0;  // since the last line with text
  std::int32_t column = said_column;
  bool is_empty = true;
  while (at_ + 1 < text_.size()) {
    const std::uint32_t start = at_ + 1;
    const std::uint32_t end = line_end(start);
    const std::uint32_t content =
        static_cast<std::uint32_t>(std::min<std::size_t>(text_.find_first_not_of(' ', start), end));
    const auto spaces = static_cast<std::int32_t>(content - start);
    if (content == end && (column < 0 || spaces <= column)) {
      if (column < 0 && spaces > parent + 1) return false;  // blank lines deeper than the text are an error
      ++breaks;
    } else {
      if (column >= 0 ? spaces < column : spaces <= parent) break;
      if (content != end && text_[content] == '\t') return false;  // white space only, or a tab as indentation
      if (column < 0) column = spaces;
      const std::uint32_t first = start + static_cast<std::uint32_t>(column);
      decoded.append(breaks, '\n').append(text_.substr(first, end - first));
      breaks = 1;
      is_empty = false;
      span_end = content == end ? span_end : end;
    }
    at_ = end;
  }
  if (at_ >= text_.size()) return false;  // without a line break at the end
  if (chomp == ' ' && breaks > 0 && !is_empty) decoded += '\n';
  if (chomp == '+') decoded.append(breaks, '\n');
  ++at_;
  if (is_folded && !is_empty) decoded = block_text(text_.substr(begin, at_ - begin), parent, LineBreaks::Yaml12);
  emit_scalar(is_folded ? ScalarStyle::Folded : ScalarStyle::Literal, begin, span_end, arena_.text(decoded));
  return next_line() && line_.column <= parent;
}

std::optional<std::vector<Event>> read_common_yaml(std::string_view text, std::uint32_t start, std::uint32_t depth,
                                                   Arena& arena) {
  if (text.find('\r') != std::string_view::npos) return std::nullopt;
  CommonReader reader(text, start, depth, arena);
  if (!reader.read()) return std::nullopt;
  return reader.take();
}

}  // namespace capwright::yaml
