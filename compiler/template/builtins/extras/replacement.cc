// Parses replacements as re's parse_template does.
#include "template/builtins/extras/replacement.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "text/python_text.h"
#include "text/utf8.h"

namespace capwright::jinja::extras {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

class ReplacementReader {
 public:
  ReplacementReader(std::string_view text, const Regex& regex) : text_(text), regex_(regex), parts_(1) {}

  // Empty `fault()`: success.
  std::vector<ReplacementPart> read() {
    while (at_ < text_.size() && fault_.empty()) {
      if (text_[at_] == '\\') {
        read_escape();
      } else {
        literal() += text_[at_++];
      }
    }
    return std::move(parts_);
  }
  const std::string& fault() const { return fault_; }

 private:
  std::string& literal() { return parts_.back().literal; }
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void add_group(std::string_view name) {
    const auto group = find_group(regex_, name);
    if (!group) {
      fault_ = fmt::format("the pattern has no group `{}`", name);
      return;
    }
    parts_.back().group = *group;
    parts_.emplace_back();
  }

  void read_escape() {
    if (at_ + 1 == text_.size()) {
      fault_ = "it ends with a lone backslash";
    } else if (peek(1) == 'g') {
      read_named();
    } else if (is_digit(peek(1))) {
      read_number();
    } else {
      read_character();
    }
  }

  void read_named() {
    const std::size_t end = peek(2) == '<' ? text_.find('>', at_) : std::string_view::npos;
    if (end == std::string_view::npos) {
      fault_ = "`\\g` is followed by a group's name in `<>`";
      return;
    }
    add_group(text_.substr(at_ + 3, end - at_ - 3));
    at_ = end + 1;
  }

  // `\0`, `\012` and three octal digits are a character; other numbers of up to two digits are a group.
  void read_number() {
    const bool octal = is_octal(peek(1)) && is_octal(peek(2)) && is_octal(peek(3));
    std::size_t size = is_digit(peek(2)) ? 2 : 1;
    if (octal) size = 3;
    else if (peek(1) == '0') size = is_octal(peek(2)) ? 2 : 1;
    const std::string_view digits = text_.substr(at_ + 1, size);
    at_ += 1 + size;
    if (octal || digits[0] == '0') {
      const auto code = python::parse_int(digits, 8)->value().value_or(0);
      if (code > 0xff && digits[0] != '0') fault_ = fmt::format("`\\{}` is above `\\377`", digits);
      utf8::append(literal(), static_cast<char32_t>(code & 0xff));
    } else {
      add_group(digits);
    }
  }

  void read_character() {
    static constexpr std::string_view kNames = "abfnrtv\\";
    static constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\";
    const char c = peek(1);
    const std::size_t known = kNames.find(c);
    if (known == std::string_view::npos && is_letter(c)) {
      fault_ = fmt::format("unknown escape `\\{}`", c);
    } else if (known != std::string_view::npos) {
      literal() += kCharacters[known];
    } else {
      literal() += {'\\', c};
    }
    at_ += 2;
  }

  std::string_view text_;
  const Regex& regex_;
  std::vector<ReplacementPart> parts_;
  std::size_t at_ = 0;
  std::string fault_;
};

}  // namespace

std::optional<std::vector<ReplacementPart>> parse_replacement(Runtime& runtime, const Value& text, const Regex& regex) {
  ReplacementReader reader(text.text(), regex);
  auto parts = reader.read();
  if (reader.fault().empty()) return parts;
  Diagnostic* fault = runtime.report(diag::unusable_replacement, runtime.here, shown(text));
  if (fault != nullptr && !text.tainted()) fault->note(reader.fault());
  return std::nullopt;
}

void append_replacement(std::string& out, const std::vector<ReplacementPart>& parts, const RegexMatch& match,
                        std::string_view text) {
  for (const ReplacementPart& part : parts) {
    out.append(part.literal);
    if (part.group) out.append(match[*part.group].in(text));
  }
}

std::optional<std::size_t> find_group(const Regex& regex, std::string_view name) {
  for (const auto& [known, number] : regex.group_names()) {
    if (known == name) return number;
  }
  std::size_t number = 0;
  for (const char c : name) {
    if (!is_digit(c) || number > regex.group_count()) return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return name.empty() || number > regex.group_count() ? std::nullopt : std::optional(number);
}

}  // namespace capwright::jinja::extras
