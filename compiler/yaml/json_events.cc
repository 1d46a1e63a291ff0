// A strict JSON reader (RFC 8259). libfyaml's JSON mode isn't faster, accepts invalid JSON, and reports unspecific
// errors; this reader names the usual mistakes: comments, trailing commas, single quotes, bare words.
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "diag/catalog/text.h"
#include "yaml/byte_checks.h"
#include "yaml/characters.h"
#include "yaml/events.h"

namespace capwright::yaml {
namespace {

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}

// Whether a character in a string isn't plain text. Strings are short, so a call of memchr for each costs more.
bool ends_run(char c) { return c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r'; }

class JsonEvents : public EventSource {
 public:
  explicit JsonEvents(Reading& reading) : reading_(reading), text_(reading.text) {
    at_ = check_bytes(reading);
    if (at_ == kUnreadable) expected_ = Expected::Nothing;
  }
  const Event& next() override { return event_ = read(); }

 private:
  enum class Expected : std::uint8_t {
    Document,
    Value,
    FirstItem,
    FirstKey,
    Key,
    Separator,
    DocumentEnd,
    StreamEnd,
    Nothing
  };

  Event read();
  Event document_start();
  Event value();
  Event string_event();
  Event number();
  Event word();
  Event open(Event::Kind kind, Expected next);
  Event close();
  Event key();
  Event separator();
  Event stream_end();
  Event fault(std::string_view expected);
  Event fault_at(std::uint32_t begin, std::uint32_t end, std::string_view found, std::string_view expected,
                 std::string help = "");
  bool decode_string(std::uint32_t begin, Event& event);
  bool decode_escape(std::string& decoded);
  bool decode_unicode(std::string& decoded);
  bool hex4(std::uint32_t& code_unit);

  char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && (look() == ' ' || look() == '\n' || look() == '\r' || look() == '\t')) ++at_;
  }
  void after_value() { expected_ = open_.empty() ? Expected::DocumentEnd : Expected::Separator; }

  Event event_;
  Reading& reading_;
  std::string_view text_;
  std::uint32_t at_ = 0;
  Expected expected_ = Expected::Document;
  std::vector<std::uint32_t> open_;  // offsets of the open brackets
  bool after_comma_ = false;
};

Event JsonEvents::read() {
  skip_space();
  switch (expected_) {
    case Expected::Document: return document_start();
    case Expected::Value: return value();
    case Expected::FirstItem: return look() == ']' ? close() : value();
    case Expected::FirstKey: return look() == '}' ? close() : key();
    case Expected::Key: return key();
    case Expected::Separator: return separator();
    case Expected::DocumentEnd:
      expected_ = Expected::StreamEnd;
      return {Event::Kind::DocumentEnd, {}, false, at_, at_, {}, {}, {}};
    case Expected::StreamEnd: return stream_end();
    case Expected::Nothing: break;
  }
  return {Event::Kind::Fault};
}

Event JsonEvents::document_start() {
  expected_ = Expected::Value;
  return {Event::Kind::DocumentStart, {}, false, at_, at_, {}, {}, {}};
}

Event JsonEvents::stream_end() {
  if (at_ == text_.size()) return {};
  return fault("the end of the file");
}

Event JsonEvents::value() {
  const char c = look();
  if (c == '{') return open(Event::Kind::MapStart, Expected::FirstKey);
  if (c == '[') return open(Event::Kind::ListStart, Expected::FirstItem);
  if (c == '"') return string_event();
  if (c == '-' || is_digit(c)) return number();
  if (is_word(c)) return word();
  return fault("a value");
}

Event JsonEvents::open(Event::Kind kind, Expected next) {
  open_.push_back(at_++);
  expected_ = next;
  after_comma_ = false;
  return {kind, {}, true, at_ - 1, at_, {}, {}, {}};
}

Event JsonEvents::close() {
  const bool map = look() == '}';
  open_.pop_back();
  ++at_;
  after_value();
  return {map ? Event::Kind::MapEnd : Event::Kind::ListEnd, {}, true, at_ - 1, at_, {}, {}, {}};
}

Event JsonEvents::separator() {
  const bool in_map = text_[open_.back()] == '{';
  if (look() == (in_map ? '}' : ']')) return close();
  if (look() != ',') return fault(in_map ? "`,` or `}`" : "`,` or `]`");
  ++at_;
  skip_space();
  after_comma_ = true;
  return in_map ? key() : value();
}

Event JsonEvents::key() {
  if (look() != '"') return fault("a key in double quotes");
  Event event;
  event.kind = Event::Kind::Scalar;
  event.style = ScalarStyle::DoubleQuoted;
  if (!decode_string(at_, event)) return {Event::Kind::Fault};
  skip_space();
  if (look() != ':') return fault("`:` after the key");
  ++at_;
  expected_ = Expected::Value;
  return event;
}

Event JsonEvents::string_event() {
  Event event;
  event.kind = Event::Kind::Scalar;
  event.style = ScalarStyle::DoubleQuoted;
  if (!decode_string(at_, event)) return {Event::Kind::Fault};
  after_value();
  return event;
}

Event JsonEvents::number() {
  const std::uint32_t begin = at_;
  const auto digits = [&] {
    const std::uint32_t first = at_;
    while (is_digit(look())) ++at_;
    return at_ != first;
  };
  if (look() == '-') ++at_;
  const std::uint32_t whole = at_;
  bool right = digits() && (text_[whole] != '0' || at_ == whole + 1);
  if (look() == '.') ++at_, right = digits() && right;
  if (look() == 'e' || look() == 'E') {
    ++at_;
    if (look() == '+' || look() == '-') ++at_;
    right = digits() && right;
  }
  if (!right || is_word(look())) {
    while (is_word(look()) || look() == '+') ++at_;
    return fault_at(begin, at_, fmt::format("`{}`", cut(text_.substr(begin, at_ - begin), 40)), "a JSON number",
                    "write it without leading zeros, with digits on both sides of the point, or quote it");
  }
  after_value();
  return {Event::Kind::Scalar, ScalarStyle::Plain, false, begin, at_, text_.substr(begin, at_ - begin), {}, {}};
}

Event JsonEvents::word() {
  const std::uint32_t begin = at_;
  while (is_word(look())) ++at_;
  const std::string_view word = text_.substr(begin, at_ - begin);
  if (word == "true" || word == "false" || word == "null") {
    after_value();
    return {Event::Kind::Scalar, ScalarStyle::Plain, false, begin, at_, word, {}, {}};
  }
  std::string help = "put the text in double quotes";
  if (word == "True" || word == "False") help = "JSON writes `true` and `false`";
  if (word == "None" || word == "nil" || word == "undefined") help = "JSON writes `null`";
  if (word == "NaN" || word == "Infinity") help = "JSON has no such number";
  return fault_at(begin, at_, fmt::format("`{}`", cut(word, 40)), "a value", help);
}

bool JsonEvents::decode_string(std::uint32_t begin, Event& event) {
  ++at_;
  std::string decoded;
  bool verbatim = true;
  while (true) {
    std::size_t end = at_;
    while (end < text_.size() && !ends_run(text_[end])) ++end;
    if (!verbatim) decoded.append(text_.substr(at_, end - at_));
    at_ = static_cast<std::uint32_t>(end);
    if (look() == '"') break;
    if (look() != '\\') {
      const bool tab = look() == '\t';
      fault_at(tab ? at_ : begin, tab ? at_ + 1 : at_, tab ? "a tab" : "the end of the line",
               tab ? "`\\t` inside a string" : "a closing `\"`",
               tab ? "" : "close the string on its line; write a line break as `\\n`");
      return false;
    }
    if (verbatim) decoded.assign(text_.substr(begin + 1, at_ - begin - 1));
    verbatim = false;
    if (!decode_escape(decoded)) return false;
  }
  event.begin = begin;
  event.end = ++at_;
  event.text = verbatim ? text_.substr(begin + 1, at_ - begin - 2) : reading_.stage.arena.text(decoded);
  return true;
}

bool JsonEvents::decode_escape(std::string& decoded) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (letter == 'u') return decode_unicode(decoded);
  const std::size_t which = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
  if (which == std::string_view::npos) {
    const std::uint32_t size = letter == '\0' ? 1 : 1 + character_at(text_, at_ + 1).size;
    fault_at(at_, at_ + size, fmt::format("`{}`", text_.substr(at_, size)), "an escape that JSON knows",
             "write a backslash as `\\\\`");
    return false;
  }
  decoded += kMeant[which];
  at_ += 2;
  return true;
}

bool JsonEvents::hex4(std::uint32_t& code_unit) {
  const std::string_view digits = text_.substr(std::min<std::size_t>(at_ + 2, text_.size()), 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code_unit, 16);
  if (error == std::errc() && digits.size() == 4 && end == digits.data() + 4) return true;
  fault_at(at_, at_ + 2, "`\\u`", "four hexadecimal digits after it");
  return false;
}

// `\u00e9`, and `\ud83d\ude00` for characters beyond 16 bits.
bool JsonEvents::decode_unicode(std::string& decoded) {
  const std::uint32_t begin = at_;
  std::uint32_t code = 0, low = 0;
  if (!hex4(code)) return false;
  at_ += 6;
  const bool high = code >= 0xd800 && code < 0xdc00;
  if (high && text_.substr(at_, 2) == "\\u") {
    if (!hex4(low)) return false;
    at_ += 6;
  }
  const bool pair = high && low >= 0xdc00 && low < 0xe000;
  if (code >= 0xd800 && code < 0xe000 && !pair) {
    fault_at(begin, at_, fmt::format("`{}`", text_.substr(begin, at_ - begin)), "a character or a pair of surrogates");
    return false;
  }
  append_utf8(decoded, pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : code);
  return true;
}

Event JsonEvents::fault(std::string_view expected) {
  const char c = look();
  if (at_ == text_.size()) {
    const std::uint32_t place = open_.empty() ? at_ : open_.back();
    const bool empty = text_.find_first_not_of(" \t\r\n\xef\xbb\xbf") == std::string_view::npos;
    return fault_at(place, open_.empty() ? place : place + 1, empty ? "an empty file" : "the end of the file", expected,
                    open_.empty() ? "" : "the bracket that opens here is not closed");
  }
  if (c == '#' || text_.substr(at_, 2) == "//" || text_.substr(at_, 2) == "/*") {
    return fault_at(at_, at_ + (c == '#' ? 1 : 2), "a comment", expected, "JSON has no comments; YAML has");
  }
  if ((c == '}' || c == ']') && after_comma_) {
    return fault_at(at_, at_ + 1, fmt::format("`{}` after a comma", c), expected, "remove the comma before it");
  }
  std::uint32_t end = at_;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (c == '"') end = static_cast<std::uint32_t>(std::min(text_.find_first_of("\"\n", at_ + 1), text_.size() - 1)) + 1;
  if (end == at_) {
    ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
  }
  std::string help = c == '\'' ? "JSON strings need double quotes" : "";
  if (is_word(c) && expected_ != Expected::StreamEnd) help = "put the text in double quotes";
  if (c == '"' && expected_ == Expected::Separator) help = "put a comma between the two";
  return fault_at(at_, end, fmt::format("`{}`", cut(text_.substr(at_, end - at_), 40)), expected, std::move(help));
}

Event JsonEvents::fault_at(std::uint32_t begin, std::uint32_t end, std::string_view found, std::string_view expected,
                           std::string help) {
  auto& diagnostic = reading_.report(diag::json_syntax, begin, end, expected, found);
  if (!help.empty()) diagnostic.advise(std::move(help));
  expected_ = Expected::Nothing;
  return {Event::Kind::Fault};
}

}  // namespace

std::unique_ptr<EventSource> json_events(Reading& reading) { return std::make_unique<JsonEvents>(reading); }

}  // namespace capwright::yaml
