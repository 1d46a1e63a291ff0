// See scalar_text.h; YAML 1.2.2 sections 7.3 and 8.1.
#include "yaml/scalar_text.h"

#include <algorithm>
#include <charconv>

#include "yaml/characters.h"

namespace capwright::yaml {
namespace {

// A line break at an offset: its size in bytes and its decoded text; 0 bytes for none.
struct Break {
  std::uint32_t size = 0;
  std::string_view text = "\n";
};

Break break_at(std::string_view source, std::size_t at, LineBreaks breaks) {
  const std::string_view rest = source.substr(std::min(at, source.size()), 3);
  if (rest.starts_with("\r\n")) return {2};
  if (rest.starts_with('\n') || rest.starts_with('\r')) return {1};
  if (breaks == LineBreaks::Yaml12) return {};
  if (rest.starts_with("\xc2\x85")) return {2};
  if (rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9") return {3, rest};
  return {};
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Reads plain and quoted texts.
class FlowReader {
 public:
  FlowReader(std::string_view source, ScalarStyle style, LineBreaks breaks)
      : source_(source), style_(style), breaks_(breaks) {}

  std::string read() {
    while (at_ < source_.size()) {
      if (!fold()) character();
    }
    return std::move(text_);
  }

 private:
  bool fold();
  void join_lines(bool escaped);
  void character();
  void escape();
  void skip_blanks() {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
  }

  std::string_view source_;
  ScalarStyle style_;
  LineBreaks breaks_;
  std::size_t at_ = 0;
  std::string text_;
};

// Keeps blanks, unless a line break follows them. False if there is neither at this offset.
bool FlowReader::fold() {
  const std::size_t begin = at_;
  skip_blanks();
  if (break_at(source_, at_, breaks_).size == 0) {
    text_ += source_.substr(begin, at_ - begin);
    return at_ != begin;
  }
  join_lines(false);
  return true;
}

// A single line break becomes a space, or nothing after a backslash; each further one is kept.
void FlowReader::join_lines(bool escaped) {
  const Break first = break_at(source_, at_, breaks_);
  at_ += first.size;
  std::string further;
  while (true) {
    skip_blanks();
    const Break next = break_at(source_, at_, breaks_);
    if (next.size == 0) break;
    further += next.text;
    at_ += next.size;
  }
  if (escaped) {
    text_ += further;
  } else if (first.text != "\n") {
    text_.append(first.text).append(further);
  } else {
    text_ += further.empty() ? " " : further;
  }
}

void FlowReader::character() {
  const char c = source_[at_];
  if (c == '\\' && style_ == ScalarStyle::DoubleQuoted) return escape();
  text_ += c;
  at_ += c == '\'' && style_ == ScalarStyle::SingleQuoted ? 2 : 1;
}

constexpr std::size_t kSurrogateSize = 6;  // `\ud83d`

bool is_high(char32_t code) { return code >= 0xd800 && code < 0xdc00; }
bool is_low(char32_t code) { return code >= 0xdc00 && code < 0xe000; }

char32_t hex_at(std::string_view source, std::size_t at, std::size_t digits) {
  const std::string_view hex = source.substr(std::min(at, source.size()), digits);
  std::uint32_t number = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
  return number;
}

// Decodes `\u` and four digits at `at`; 0 if there is no such escape.
char32_t code_unit_at(std::string_view source, std::size_t at) {
  return source.substr(std::min(at, source.size())).starts_with("\\u") ? hex_at(source, at + 2, 4) : 0;
}

void FlowReader::escape() {
  constexpr std::string_view kLetters = "0abtnvfre \"/\\\t";
  constexpr std::string_view kMeant("\0\a\b\t\n\v\f\r\x1b \"/\\\t", kLetters.size());
  ++at_;
  if (break_at(source_, at_, breaks_).size != 0) return join_lines(true);
  const char letter = at_ < source_.size() ? source_[at_] : '\\';
  ++at_;
  if (const std::size_t which = kLetters.find(letter); which != std::string_view::npos) {
    text_ += kMeant[which];
    return;
  }
  std::size_t digits = 0;
  if (letter == 'x') digits = 2;
  else if (letter == 'u') digits = 4;
  else if (letter == 'U') digits = 8;
  char32_t code = 0x2029;
  if (letter == 'N') code = 0x85;
  else if (letter == '_') code = 0xa0;
  else if (letter == 'L') code = 0x2028;
  if (digits != 0) {
    code = hex_at(source_, at_, digits);
    at_ += digits;
    // YAML 1.2 includes JSON: two escapes for a character beyond U+FFFF. libfyaml rejects a single one.
    if (is_high(code) && is_low(code_unit_at(source_, at_))) {
      code = 0x10000 + ((code - 0xd800) << 10) + (code_unit_at(source_, at_) - 0xdc00);
      at_ += kSurrogateSize;
    }
  }
  append_utf8(text_, code);
}

// Reads the lines below `|` and `>`.
class BlockReader {
 public:
  BlockReader(std::string_view source, std::int32_t parent_column, LineBreaks breaks)
      : source_(source), parent_column_(std::max(parent_column, 0)), breaks_(breaks) {}
  std::string read();

 private:
  void header();
  void detect_indent();
  bool line();
  void add_line(std::string_view line);
  std::size_t line_end(std::size_t from) const {
    while (from < source_.size() && break_at(source_, from, breaks_).size == 0) ++from;
    return from;
  }

  std::string_view source_;
  std::int32_t parent_column_;
  LineBreaks breaks_;
  bool folded_ = false;
  char chomp_ = ' ';
  std::size_t indent_ = 0;
  std::size_t at_ = 0;
  bool has_text_ = false;
  bool after_word_ = false;      // the last line with text starts with a character that isn't blank
  std::string_view last_break_;  // of the last line with text
  std::string blank_lines_;      // since then
  std::string text_;
};

std::string BlockReader::read() {
  header();
  if (indent_ == 0) detect_indent();
  while (at_ < source_.size() && line()) {}
  if (chomp_ != '-' && has_text_) text_ += last_break_;
  if (chomp_ == '+') text_ += blank_lines_;
  return std::move(text_);
}

void BlockReader::header() {
  folded_ = source_.starts_with('>');
  for (const char c : source_.substr(1, 2)) {
    if (c == '+' || c == '-') chomp_ = c;
    else if (c >= '1' && c <= '9') indent_ = static_cast<std::size_t>(parent_column_ + (c - '0'));
    else break;
  }
  at_ = line_end(0);
  at_ += break_at(source_, at_, breaks_).size;
}

// The first line with text sets the indentation.
void BlockReader::detect_indent() {
  std::size_t begin = at_;
  while (begin < source_.size()) {
    const std::size_t content = std::min(source_.find_first_not_of(' ', begin), source_.size());
    const Break line_break = break_at(source_, content, breaks_);
    const bool blank = line_break.size != 0 || content == source_.size();
    indent_ = blank ? std::max(indent_, content - begin) : content - begin;  // the longest, if all lines are blank
    if (!blank) return;
    begin = content + line_break.size;
  }
}

// False at a line with less indentation: a comment after the text.
bool BlockReader::line() {
  const std::size_t begin = at_, end = line_end(at_);
  const Break line_break = break_at(source_, end, breaks_);
  const std::size_t spaces = std::min(source_.find_first_not_of(' ', begin), end) - begin;
  if (begin + spaces == end && spaces <= indent_) {
    if (line_break.size != 0) blank_lines_ += line_break.text;
  } else if (spaces < indent_) {
    return false;
  } else {
    add_line(source_.substr(begin + indent_, end - begin - indent_));
    last_break_ = line_break.size == 0 ? "" : line_break.text;
  }
  at_ = end + line_break.size;
  return true;
}

void BlockReader::add_line(std::string_view line) {
  const bool word = !is_blank(line.front());
  if (has_text_) {
    const bool fold = folded_ && last_break_ == "\n" && after_word_ && word;
    if (!fold) text_ += last_break_;
    else if (blank_lines_.empty()) text_ += ' ';
  }
  text_ += blank_lines_;
  text_ += line;
  blank_lines_.clear();
  has_text_ = true;
  after_word_ = word;
}

}  // namespace

std::string flow_text(std::string_view source, ScalarStyle style, LineBreaks breaks) {
  return FlowReader(source, style, breaks).read();
}

std::string block_text(std::string_view source, std::int32_t parent_column, LineBreaks breaks) {
  return BlockReader(source, parent_column, breaks).read();
}

}  // namespace capwright::yaml
