// Translates in one pass. Syntax that both dialects share with RE2 is copied; the rest is rewritten or rejected by
// name.
#include "text/regex_dialect.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/ascii.h"
#include "text/utf8.h"

namespace capwright::regex {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class Translation {
 public:
  Translation(std::string_view pattern, const RegexOptions& options, RegexFault& fault)
      : pattern_(pattern), options_(options), fault_(fault), python_(options.dialect == RegexDialect::Python) {
    modes_.push_back({false, false, options.multiline});
  }

  std::optional<Translated> run() {
    while (ok_ && at_ < pattern_.size()) step();
    if (!ok_) return std::nullopt;
    return std::move(result_);
  }

 private:
  // Flags that inline groups change and RE2 doesn't have.
  struct Mode {
    bool verbose;
    bool ascii;
    bool multiline;
  };

  char look(std::size_t ahead = 0) const { return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0'; }
  bool looking_at(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
  void emit(std::string_view text) { result_.pattern += text; }
  Mode& mode() { return modes_.back(); }

  void refuse(std::string message, std::size_t at) {
    if (ok_) fault_ = {std::move(message), static_cast<std::uint32_t>(at), false};
    ok_ = false;
  }
  void unsupported(std::string_view what, std::size_t at) {
    refuse(fmt::format("{} `{}` is not supported", what, pattern_.substr(at, at_ - at)), at);
    fault_.unsupported = true;
  }

  void emit_char(char32_t c, bool in_class) {
    constexpr std::string_view kMeta = "\\.+*?()|[]{}^$", kClassMeta = "\\]^-[&~|";
    if (c < 0x80 && (in_class ? kClassMeta : kMeta).find(static_cast<char>(c)) != std::string_view::npos) emit("\\");
    if (c == 0) emit("\\x00");
    else utf8::append(result_.pattern, c);
  }

  void step();
  void any_char();
  void dollar();
  void open_group();
  void inline_flags(std::size_t start);
  void close_group();
  void repetition();
  bool braces(std::string& text);
  void escape();
  void char_class();
  struct ClassItem {
    bool is_set = false;
    char32_t value = 0;
    std::string set;
  };
  ClassItem class_item();
  // The character of the escape at `at_` (after the backslash); rejects an unknown escape.
  char32_t escaped_char(bool in_class);
  std::optional<char32_t> numeric_escape();
  std::optional<char32_t> hex_digits(std::size_t count);
  std::optional<char32_t> unicode_escape();
  std::string property();

  std::string_view pattern_;
  const RegexOptions& options_;
  RegexFault& fault_;
  bool python_;
  bool ok_ = true;
  std::size_t at_ = 0;
  std::vector<Mode> modes_;
  Translated result_;
};

void Translation::step() {
  const char c = look();
  if (mode().verbose) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) return static_cast<void>(++at_);
    if (c == '#') {
      at_ = std::min(pattern_.find('\n', at_), pattern_.size());
      return;
    }
  }
  switch (c) {
    case '\\': return escape();
    case '[': return char_class();
    case '(': return open_group();
    case ')': return close_group();
    case '.': return any_char();
    case '$': return dollar();
    case '*':
    case '+':
    case '?':
    case '{': return repetition();
    case '}': ++at_; return emit("\\}");
    case ']': ++at_; return emit("\\]");
    default: ++at_; return emit({&c, 1});
  }
}

void Translation::any_char() {
  ++at_;
  emit(python_ || options_.dot_all ? "." : "[^\\n\\r\\x{2028}\\x{2029}]");
}

void Translation::dollar() {
  ++at_;
  emit("$");
  if (python_ && !mode().multiline) result_.dollar_before_newline = true;
}

void Translation::open_group() {
  const std::size_t start = at_;
  modes_.push_back(mode());
  const auto starts = [&](std::string_view text) {
    if (!looking_at(text)) return false;
    at_ += text.size();
    return true;
  };
  if (starts("(?=") || starts("(?!")) return unsupported("a lookahead", start);
  if (starts("(?<=") || starts("(?<!")) return unsupported("a lookbehind", start);
  if (starts("(?>")) return unsupported("an atomic group", start);
  if (starts("(?P=")) return unsupported("a backreference", start);
  if (starts("(?(")) return unsupported("a conditional", start);
  if (starts("(?:")) return emit("(?:");
  if (python_ && starts("(?#")) {
    modes_.pop_back();
    at_ = pattern_.find(')', at_);
    return at_ == std::string_view::npos ? refuse("a comment is never closed", start) : static_cast<void>(++at_);
  }
  if (python_ ? starts("(?P<") : starts("(?<")) {
    if (look() >= '0' && look() <= '9') return refuse("the name of a group starts with a digit", start);
    return emit("(?P<");
  }
  if (looking_at("(?")) return inline_flags(start);
  ++at_;
  emit("(");
}

// `(?flags)`, `(?flags:…)` and `(?flags-flags:…)` of Python.
void Translation::inline_flags(std::size_t start) {
  at_ += 2;
  std::string kept;
  bool on = true;
  for (; look() != ')' && look() != ':'; ++at_) {
    const char flag = look();
    if (flag == '-') on = false, kept += '-';
    else if (flag == 'i' || flag == 's') kept += flag;
    else if (flag == 'm') kept += flag, mode().multiline = on;
    else if (flag == 'x') mode().verbose = on;
    else if (flag == 'a') mode().ascii = on;
    else if (flag != 'u')
      return refuse(fmt::format("`{}` isn't a group", pattern_.substr(start, at_ + 1 - start)), start);
  }
  if (!python_) return unsupported("a group with flags", start);
  if (kept.ends_with('-')) kept.pop_back();
  const bool scoped = look() == ':';
  ++at_;
  if (scoped) return emit(kept.empty() ? "(?:" : "(?" + kept + ":");
  const Mode changed = mode();
  modes_.pop_back();
  mode() = changed;
  if (!kept.empty()) emit("(?" + kept + ")");
}

void Translation::close_group() {
  if (modes_.size() == 1) return refuse("`)` has no matching `(`", at_);
  modes_.pop_back();
  ++at_;
  emit(")");
}

// `{m}`, `{m,}`, `{m,n}` and Python's `{,n}`; false if the brace is a literal character.
bool Translation::braces(std::string& text) {
  std::size_t i = at_ + 1;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < pattern_.size() && is_digit(pattern_[i])) ++i;
    return pattern_.substr(begin, i - begin);
  };
  const std::string_view least = digits();
  std::string_view most;
  const bool has_comma = i < pattern_.size() && pattern_[i] == ',';
  if (has_comma) {
    ++i;
    most = digits();
  }
  const bool closed = i < pattern_.size() && pattern_[i] == '}';
  if (!closed || (least.empty() && (!python_ || most.empty()))) return false;
  text = fmt::format("{{{}{}{}}}", least.empty() ? "0" : least, has_comma ? "," : "", most);
  at_ = i + 1;
  return true;
}

void Translation::repetition() {
  const std::size_t start = at_;
  std::string text(1, look());
  if (look() == '{') {
    if (!braces(text)) {
      ++at_;
      return emit("\\{");
    }
  } else {
    ++at_;
  }
  emit(text);
  if (look() == '?') {
    ++at_;
    emit("?");
  } else if (look() == '+') {
    ++at_;
    unsupported("a possessive repetition", start);
  }
}

std::optional<char32_t> Translation::hex_digits(std::size_t count) {
  char32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int digit = hex_value(look(i));
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<char32_t>(digit);
  }
  at_ += count;
  return value;
}

// After `\u`: four digits, a surrogate pair of two such escapes, or ECMA-262's `{…}`.
std::optional<char32_t> Translation::unicode_escape() {
  if (!python_ && look() == '{') {
    const std::size_t close = pattern_.find('}', at_);
    ++at_;
    if (close == std::string_view::npos || close - at_ > 6) return std::nullopt;
    const std::optional<char32_t> value = hex_digits(close - at_);
    at_ = close + 1;
    return value;
  }
  const std::optional<char32_t> high = hex_digits(4);
  const bool is_pair = high && !python_ && *high >= 0xD800 && *high < 0xDC00 && looking_at("\\u");
  if (!is_pair) return high;
  at_ += 2;
  const std::optional<char32_t> low = hex_digits(4);
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
  return 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00);
}

// `\x41`, `\u0041`, `\U00000041`, `\cA`, `\0` and Python's octal numbers; `at_` is after the letter or at the digit.
std::optional<char32_t> Translation::numeric_escape() {
  const char letter = pattern_[at_ - 1];
  if (letter == 'x') return hex_digits(2);
  if (letter == 'u') return unicode_escape();
  if (letter == 'U') return hex_digits(8);
  if (letter == 'c') return static_cast<char32_t>(pattern_[at_++] & 31);
  char32_t value = static_cast<char32_t>(letter - '0');
  for (int i = 0; python_ && i < 2 && is_octal(look()); ++i)
    value = value * 8 + static_cast<char32_t>(pattern_[at_++] - '0');
  return value;
}

char32_t Translation::escaped_char(bool in_class) {
  const std::size_t start = at_ - 1;
  const char c = look();
  ++at_;
  constexpr std::string_view kControls = "fnrtv", kControlValues = "\f\n\r\t\v";
  if (const std::size_t i = kControls.find(c); i != std::string_view::npos)
    return static_cast<char32_t>(kControlValues[i]);
  if (python_ && c == 'a') return 7;
  if (in_class && c == 'b') return 8;
  const bool octal = python_ && is_octal(c) && (c == '0' || in_class || (is_octal(look()) && is_octal(look(1))));
  const bool numeric = c == 'x' || c == 'u' || (python_ && c == 'U') || (!python_ && c == 'c' && is_letter(look())) ||
                       octal || (c == '0' && !is_digit(look()));
  if (numeric) {
    const std::optional<char32_t> value = numeric_escape();
    if (value && *value <= kLargestCodePoint && (*value < 0xD800 || *value > 0xDFFF)) return *value;
  } else if (is_digit(c)) {
    unsupported("a backreference", start);
    return 0;
  } else if (!is_letter(c)) {
    --at_;
    const utf8::CodePoint literal = utf8::decode(pattern_, at_);
    at_ += literal.size;
    return literal.value;
  }
  refuse(fmt::format("unknown escape `{}`", pattern_.substr(start, at_ - start)), start);
  return 0;
}

// `\p{…}` and `\P{…}` of ECMA-262 as the inside of a class; `at_` is at the `p`.
std::string Translation::property() {
  const std::size_t start = at_ - 1;
  const std::string letter(1, look());
  const std::size_t close = look(1) == '{' ? pattern_.find('}', at_) : std::string_view::npos;
  if (close == std::string_view::npos) {
    refuse(fmt::format("`\\{}` needs a property in braces", letter), start);
    return {};
  }
  std::string_view name = pattern_.substr(at_ + 2, close - at_ - 2);
  at_ = close + 1;
  for (const std::string_view prefix : {"Script=", "sc=", "General_Category=", "gc="}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  if (name == "ASCII") return letter == "p" ? "\\x00-\\x7f" : "\\x{80}-\\x{10ffff}";
  return fmt::format("\\{}{{{}}}", letter, category_of(name));
}

void Translation::escape() {
  const std::size_t start = at_++;
  const char c = look();
  if (at_ >= pattern_.size()) return refuse("the pattern ends with a backslash", start);
  if (is_set_letter(c)) {
    ++at_;
    return emit(fmt::format("[{}]", class_of(c, options_.dialect, mode().ascii)));
  }
  if (c == 'b' || c == 'B' || (python_ && c == 'A')) {
    ++at_;
    return emit(pattern_.substr(start, 2));
  }
  if (python_ && c == 'Z') {
    ++at_;
    return emit("\\z");
  }
  if (!python_ && (c == 'p' || c == 'P')) return emit("[" + property() + "]");
  if (!python_ && c == 'k') {
    ++at_;
    return unsupported("a backreference", start);
  }
  emit_char(escaped_char(false), false);
}

Translation::ClassItem Translation::class_item() {
  if (look() != '\\') {
    const utf8::CodePoint c = utf8::decode(pattern_, at_);
    at_ += c.size;
    return {false, c.value, {}};
  }
  ++at_;
  if (const char c = look(); is_set_letter(c)) {
    ++at_;
    return {true, 0, std::string(class_of(c, options_.dialect, mode().ascii))};
  } else if (!python_ && (c == 'p' || c == 'P')) {
    return {true, 0, property()};
  }
  if (!python_ && look() == '-') return {false, static_cast<char32_t>(pattern_[at_++]), {}};
  return {false, escaped_char(true), {}};
}

void Translation::char_class() {
  const std::size_t start = at_++;
  const bool negated = look() == '^';
  if (negated) ++at_;
  if (!python_ && look() == ']') {
    ++at_;
    return emit(negated ? "(?s:.)" : "[^\\x00-\\x{10ffff}]");
  }
  emit(negated ? "[^" : "[");
  bool first = true;
  while (ok_ && at_ < pattern_.size() && (look() != ']' || (python_ && first))) {
    first = false;
    const std::size_t begin = at_;
    const ClassItem low = class_item();
    if (low.is_set) emit(low.set);
    else emit_char(low.value, true);
    if (look() != '-' || look(1) == ']' || look(1) == '\0') continue;
    ++at_;
    const ClassItem high = class_item();
    if (low.is_set || high.is_set || high.value < low.value) {
      return refuse(fmt::format("`{}` isn't a range of characters", pattern_.substr(begin, at_ - begin)), begin);
    }
    emit("-");
    emit_char(high.value, true);
  }
  if (at_ >= pattern_.size()) return refuse("`[` is never closed", start);
  ++at_;
  emit("]");
}

// Go accepts `(?<name>…)` since 1.22; the bundled RE2 accepts only `(?P<name>…)`.
std::string with_named_groups(std::string_view pattern) {
  std::string written;
  bool in_class = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::string_view rest = pattern.substr(at);
    if (rest[0] == '\\') {
      std::size_t size = std::min<std::size_t>(2, rest.size());
      if (rest.starts_with("\\Q") && !in_class) {
        const std::size_t end = rest.find("\\E");
        size = end == rest.npos ? rest.size() : end + 2;
      }
      written += rest.substr(0, size);
      at += size - 1;
      continue;
    }
    if (rest[0] == '[') in_class = true;
    else if (rest[0] == ']') in_class = false;
    const bool is_name = !in_class && rest.starts_with("(?<") && rest.size() > 3 && rest[3] != '=' && rest[3] != '!';
    written += is_name ? "(?P<" : rest.substr(0, 1);
    if (is_name) at += 2;
  }
  return written;
}

}  // namespace

std::optional<Translated> translate(std::string_view pattern, const RegexOptions& options, RegexFault& fault) {
  if (options.dialect == RegexDialect::Re2) return Translated{with_named_groups(pattern)};
  return Translation(pattern, options, fault).run();
}

}  // namespace capwright::regex
