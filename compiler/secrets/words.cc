// Works line by line without parsing the text as YAML: it may have any format, and messages quote it as it is.
#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "secrets/credentials.h"
#include "secrets/placeholders.h"
#include "secrets/texts.h"
#include "text/trim.h"

namespace capwright::secrets {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool all_are(std::string_view text, bool (*is_such)(char)) { return std::all_of(text.begin(), text.end(), is_such); }

// A random text: letters of both cases with digits, or a long sequence of letters and digits.
bool is_random(std::string_view text) {
  constexpr std::size_t kShortest = 8, kLong = 16;
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  const bool both = std::any_of(text.begin(), text.end(), is_lower) && std::any_of(text.begin(), text.end(), is_upper);
  const bool has_parts = text.find_first_of("-./") != std::string_view::npos;
  return text.size() >= kShortest && ((both && digits > 1) || (text.size() >= kLong && !has_parts && digits > 3));
}

// `spec`, `kubeadmConfigSpec`, `.dockerconfigjson`, `cluster.x-k8s.io/cluster-name`.
bool is_key_like(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  const auto belongs = [](char c) {
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '/' || c == '$';
  };
  return !text.empty() && text.size() <= kLongest && all_are(text, belongs) && !is_random(text);
}

// `v1.35.8`, `10.96.0.0/12`, `300`.
bool is_number_like(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  return all_are(text, [](char c) { return is_digit(c) || c == '.' || c == '/' || c == ':'; });
}

// A common value: `external`, or in place of a name `cloud-provider` or `KubeadmControlPlane`. For keys that aren't
// named like a secret.
bool is_common(std::string_view key, std::string_view value) {
  constexpr std::size_t kLongest = 12;
  if (is_number_like(value) || (value.size() <= kLongest && all_are(value, is_lower))) return true;
  if (key == "kind" || key == "apiVersion" || key == "apiGroup") return is_key_like(value);
  const bool is_name = key.ends_with("name") || key.ends_with("Name") || is_public_key(key);
  return is_name && !is_random(value);
}

// `[LoadBalancer]` of an INI file.
bool is_section(std::string_view line) {
  return line.size() > 2 && line.front() == '[' && line.back() == ']' && is_key_like(line.substr(1, line.size() - 2));
}

bool is_structure(std::string_view text) {
  return (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'));
}

// Scans one line for keys and their values, including those in brackets.
class LineWords {
 public:
  // `name` is the last value of a key `name`: it tells the meaning of a `value` on the next line.
  LineWords(std::string_view line, std::string& name, SecretTexts& texts) : rest_(line), name_(name), texts_(texts) {}

  // Returns whether the line sets a key.
  bool add() {
    const std::string_view line = trimmed(rest_);
    if (is_section(line)) return true;
    is_item_ = line.starts_with("- ");
    while (skip_signs(), !rest_.empty()) {
      if (rest_.front() == '#') {
        add_comment();
        break;
      }
      const bool is_quoted = rest_.front() == '"' || rest_.front() == '\'';
      const std::string_view token = is_quoted ? take_quoted() : take_plain();
      if (!take_sign(token)) add_value(token);
    }
    if (is_flow_ && !has_key_) add_lines(line, texts_);
    return has_key_;
  }

 private:
  // Comments mostly contain ordinary words, which messages may contain too: only a text with a secret key or form
  // counts.
  void add_comment() {
    std::string_view comment = trimmed(std::exchange(rest_, {}), " \t\r#");
    const std::size_t sign = std::min(comment.find_first_of(":="), comment.size());
    const std::string_view key = trimmed(comment.substr(0, sign), " \t-\"'");
    if (is_key_like(key) && is_called_secret(key))
      add_lines(comment.substr(std::min(sign + 1, comment.size())), texts_);
    while (!comment.empty()) {
      const std::size_t end = std::min(comment.find_first_of(" \t\"',"), comment.size());
      if (is_random(comment.substr(0, end))) texts_.add(comment.substr(0, end));
      comment.remove_prefix(std::min(end + 1, comment.size()));
    }
  }

  void skip_signs() {
    constexpr std::string_view kSigns = " \t\r,{}[]";
    while (!rest_.empty()) {
      const bool is_dash = rest_.front() == '-' && (rest_.size() == 1 || rest_[1] == ' ');
      if (!is_dash && kSigns.find(rest_.front()) == std::string_view::npos) return;
      if (rest_.front() == '{' || rest_.front() == '[') is_flow_ = true;
      if (rest_.front() == '{' || rest_.front() == ',') key_ = {};
      rest_.remove_prefix(1);
    }
  }

  std::string_view take(std::size_t size) {
    const std::string_view token = rest_.substr(0, size);
    rest_.remove_prefix(token.size());
    return token;
  }

  std::string_view take_quoted() {
    const char quote = rest_.front();
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote) end += rest_[end] == '\\' && quote == '"' ? 2 : 1;
    const std::string_view inside = rest_.substr(1, std::min(end, rest_.size()) - 1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return inside;
  }

  // The text up to the sign after a key, or the value: in brackets, up to the next delimiter.
  std::string_view take_plain() {
    const std::string_view piece = rest_.substr(0, is_flow_ ? rest_.find_first_of(",{}[]") : rest_.size());
    const std::string_view all = trimmed(piece.substr(0, piece.find(" #")));
    for (std::size_t at = 0; at < all.size() && key_.empty(); ++at) {
      const bool is_sign = all[at] == '=' || (all[at] == ':' && (at + 1 == all.size() || all[at + 1] == ' '));
      if (!is_sign) continue;
      const std::string_view key = trimmed(all.substr(0, at));
      if (!is_key_like(key)) break;
      // The padding of base64 isn't a sign.
      if (all[at] == '=' && trimmed(all.substr(at), "=").empty() && !all_are(key, is_lower)) break;
      return take(key.size());
    }
    return take(all.size());
  }

  // Whether a key has ended here. After `=` there is one value, including any brackets.
  bool take_sign(std::string_view token) {
    const std::size_t at = rest_.find_first_not_of(" \t");
    if (!key_.empty() || at == std::string_view::npos || (rest_[at] != ':' && rest_[at] != '=')) return false;
    const bool is_assignment = rest_[at] == '=';
    has_key_ = true;
    rest_.remove_prefix(at + 1);
    if (!is_key_like(token)) texts_.add(token);
    key_ = token == "value" && !name_.empty() ? std::string_view(name_) : token;
    // A value with brackets or commas may also be one text.
    if (!is_flow_ && (is_assignment || is_called_secret(key_))) add_whole();
    if (is_assignment && !is_flow_) rest_ = key_ = {};
    return true;
  }

  void add_whole() {
    const std::string_view all = trimmed(rest_), value = trimmed(all.substr(0, all.find(" #")));
    if (all.starts_with('#') || is_structure(value)) return;
    for (const std::string_view text : {all, value}) add_text(trimmed(text, " \t\"',"));
  }

  void add_value(std::string_view value) {
    if (key_ == "name") name_ = value;
    add_text(value);
    key_ = {};
  }

  // Also adds the text without its anchor and tag.
  void add_text(std::string_view value) {
    constexpr int kMostProperties = 2;
    for (int taken = 0;; ++taken) {
      if (value.size() >= SecretTexts::kShortestSecret && is_secret(value)) texts_.add(value);
      const bool has_property = value.size() > 1 && (value.front() == '&' || value.front() == '!');
      if (!has_property || taken == kMostProperties) return;
      value = trimmed(value.substr(std::min(value.find(' '), value.size())));
    }
  }

  bool is_secret(std::string_view value) const {
    if (!is_called_secret(key_)) {
      const bool may_be_common = !key_.empty() || is_item_;
      if (value.size() < kShortestWord || (may_be_common && is_common(key_, value))) return false;
    }
    return !is_placeholder(value);
  }

  std::string_view rest_;
  std::string& name_;
  SecretTexts& texts_;
  std::string_view key_;
  bool is_flow_ = false, is_item_ = false, has_key_ = false;
};

template <class Visit>
void each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

void add_lines(std::string_view text, SecretTexts& texts) {
  each_line(text, [&](std::string_view line) {
    line = trimmed(line, " \t\r\"',");
    if (line.size() >= kShortestWord) texts.add(line);
  });
}

void add_settings(std::string_view text, SecretTexts& texts) {
  std::string name;
  bool has_any = false;
  each_line(text, [&](std::string_view line) { has_any = LineWords(line, name, texts).add() || has_any; });
  if (!has_any) add_lines(text, texts);
}

}  // namespace capwright::secrets
