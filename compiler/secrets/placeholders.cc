// Uses the patterns of credentials.yaml. A placeholder in a text counts as empty.
#include "secrets/placeholders.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "facts/catalogue.h"
#include "text/trim.h"

namespace capwright::secrets {
namespace {

constexpr std::string_view kBlanksAndQuotes = " \t\r\n\"'";
constexpr char kPlace = '\x01';  // replaces each byte of a placeholder

std::string any_of(const Value& patterns) {
  std::string all;
  for (const Value& pattern : patterns.items()) all += fmt::format("{}(?:{})", all.empty() ? "" : "|", pattern.text());
  return all;
}

struct Patterns {
  Patterns()
      : any_reference(Regex::deferred(any_of(fact(credential_facts(), "references")), {.dialect = RegexDialect::Re2})),
        secret_line(fact_pattern(fact(credential_facts(), "secret_line"))) {
    for (const Value& pattern : fact(credential_facts(), "references").items())
      references.push_back(fact_pattern(pattern));
  }
  Regex any_reference;  // a fast check first, because hardly any text has one
  std::vector<Regex> references;
  Regex secret_line;
};

const Patterns& patterns() {
  static const Patterns known;
  return known;
}

// The text with kPlace for each byte of a placeholder.
std::string without_placeholders(std::string_view text) {
  std::string rest(text);
  if (!has_placeholder(text)) return rest;
  for (const Regex& pattern : patterns().references) {
    for (const RegexMatch& found : pattern.find_all(text))
      std::fill(rest.begin() + static_cast<std::ptrdiff_t>(found.front().begin),
                rest.begin() + static_cast<std::ptrdiff_t>(found.front().end), kPlace);
  }
  return rest;
}

bool has_place(std::string_view rest) { return rest.find(kPlace) != std::string_view::npos; }

bool is_only_places(std::string_view rest) {
  return std::all_of(rest.begin(), rest.end(),
                     [](char c) { return c == kPlace || kBlanksAndQuotes.find(c) != std::string_view::npos; });
}

// A random-looking word: letters of both cases and digits.
bool looks_random(std::string_view word, bool is_named_secret) {
  constexpr std::size_t kShortest = 8, kShortestOfSecret = 6;
  std::size_t upper = 0, lower = 0, digits = 0;
  for (const char c : word) {
    upper += c >= 'A' && c <= 'Z' ? 1 : 0;
    lower += c >= 'a' && c <= 'z' ? 1 : 0;
    digits += c >= '0' && c <= '9' ? 1 : 0;
  }
  if (is_named_secret) return word.size() >= kShortestOfSecret && digits != 0 && upper + lower != 0;
  return word.size() >= kShortest && digits > 1 && upper != 0 && lower != 0;
}

bool has_random_word(std::string_view rest, bool is_named_secret) {
  constexpr std::string_view kBetween = " \t\r\n\"',:;/@=?&|{}[]()<>.\x01";
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
    const std::size_t end = std::min(rest.find_first_of(kBetween), rest.size());
    if (looks_random(rest.substr(0, end), is_named_secret)) return true;
    rest.remove_prefix(end);
  }
  return false;
}

bool is_no_text(std::string_view value) {
  constexpr std::string_view kWords[] = {"true", "false", "null", "~"};
  return value.empty() || std::find(std::begin(kWords), std::end(kWords), value) != std::end(kWords);
}

// `$DB_PASSWORD`, as in shells and many configuration formats; `$1` of a script; `$(cat /run/token)`.
bool is_variable(std::string_view value) {
  if (value.size() == 2 && value[0] == '$' && value[1] >= '0' && value[1] <= '9') return true;
  if (value.starts_with("$(") && value.ends_with(')')) return true;
  return value.size() > 2 && value.front() == '$' &&
         std::all_of(value.begin() + 1, value.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

// The value up to its end on this line: a closing quote, the end of a bracketed item, or a comment.
std::string_view value_on(std::string_view line) {
  if (line.front() == '"' || line.front() == '\'') {
    const std::size_t end = line.find(line.front(), 1);
    return line.substr(1, end == std::string_view::npos ? end : end - 1);
  }
  const std::size_t end = std::min({line.find_first_of(",}]"), line.find(" #"), line.size()});
  return trimmed(line.substr(0, end));
}

// `line` is the text after `password:` or `password =`, without its placeholders.
bool is_readable(std::string_view line, char sign) {
  const bool is_structure =
      line.front() == '[' || (line.front() == '{' && (sign == ':' || line.find('=') != std::string_view::npos));
  if (is_structure) return false;
  const std::string_view value = line.front() == '{' ? line : value_on(line);
  if (has_place(value)) return !is_only_places(value) && has_random_word(value, true);
  return !is_no_text(value) && !is_variable(value);
}

}  // namespace

bool has_placeholder(std::string_view text) { return patterns().any_reference.matches(text); }

bool is_placeholder(std::string_view text) {
  const std::string rest = without_placeholders(trimmed(text));
  return has_place(rest) && is_only_places(rest);
}

bool has_placeholder_only(std::string_view text, bool is_named_secret) {
  const std::string rest = without_placeholders(trimmed(text));
  if (!has_place(rest)) return false;
  const bool is_line = rest.find('\n') == std::string::npos;  // a longer text contains more than the secret
  return !is_line || !has_random_word(rest, is_named_secret);
}

bool has_secret_line(std::string_view text) {
  std::optional<RegexMatch> found = patterns().secret_line.find(text);
  if (!found) return false;
  const std::string rest = without_placeholders(text);
  for (std::optional<RegexMatch> next; found; found = std::move(next)) {
    std::size_t begin = found->front().end;
    const char sign = text[begin - 1];
    next = patterns().secret_line.find(text, begin);
    // One line may set many keys.
    const std::string_view up_to_next = text.substr(0, next ? next->front().begin : text.size());
    const auto end = [&] { return std::max(begin, std::min(up_to_next.find('\n', begin), up_to_next.size())); };
    const std::string_view first = trimmed(text.substr(begin, end() - begin));
    const bool is_block = !first.empty() && first.size() <= 3 && (first.front() == '|' || first.front() == '>');
    if (is_block) begin = std::min(end() + 1, text.size());
    const std::string_view line = trimmed(std::string_view(rest).substr(begin, end() - begin));
    if (line.empty() || !is_readable(line, sign)) continue;
    // Some placeholders are only recognizable at the start of a complete value.
    if (!is_placeholder(value_on(trimmed(text.substr(begin, end() - begin))))) return true;
  }
  return false;
}

bool is_called_secret(std::string_view key) {
  return !key.empty() && patterns().secret_line.matches("\"" + std::string(key) + "\":");
}

}  // namespace capwright::secrets
