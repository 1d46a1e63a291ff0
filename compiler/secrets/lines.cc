// The text is invalid, so its structure is guessed from indentation alone; errs on the side of secrecy.
#include "secrets/lines.h"

#include <algorithm>

#include "secrets/manifest_text.h"

namespace capwright {
namespace {

class LineWalk {
 public:
  LineWalk(std::string_view text, FileId file, const SecretNames& names) : text_(text), file_(file), names_(names) {}

  std::vector<Span> walk() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      look_at(begin, end);
      begin = end + 1;
    }
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kNone = std::string_view::npos;

  void look_at(std::size_t begin, std::size_t end) {
    const std::string_view line = text_.substr(begin, end - begin);
    const std::size_t indent = line.find_first_not_of(" \t\r-");
    if (indent == kNone) return;  // also `---`
    const bool goes_on = secret_indent_ != kNone && (indent > secret_indent_ || !begins_with_key(line.substr(indent)));
    if (to_the_end_ || goes_on) return add(begin + indent, end);
    secret_indent_ = kNone;
    if (indent == 0) in_section_ = begins_with_section(line);
    std::size_t from = value_behind_secret(line);
    const bool is_secret = from != kNone;
    if (!is_secret && in_section_) from = value_of(line, indent);
    if (from == kNone) return;
    add(begin + from, end);
    if (is_secret) secret_indent_ = indent;
    to_the_end_ = is_secret && opens_quote(line.substr(from));
  }

  // A plain key with its colon. Other lines, at any indentation, count as a continuation of a pasted secret.
  static bool begins_with_key(std::string_view line) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-\"'";
    const std::size_t end = line.find_first_not_of(kLetters);
    return end != 0 && end != kNone && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' ');
  }

  void add(std::size_t begin, std::size_t end) {
    if (begin < end) found_.push_back({file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }

  bool begins_with_section(std::string_view line) const {
    return std::any_of(names_.sections.begin(), names_.sections.end(), [&](const std::string& section) {
      const std::size_t at = line.find(section);
      return at != kNone && at <= 2;  // a quote, a bracket
    });
  }

  // The start of the value of a key that contains a secret's name.
  std::size_t value_behind_secret(std::string_view line) const {
    std::size_t first = kNone;
    for (const std::string& key : names_.keys) {
      const std::size_t at = line.find(key);
      const std::size_t sign = at == kNone ? kNone : line.find_first_of(":=", at + key.size());
      if (sign != kNone) first = std::min(first, sign + 1);
      else if (at != kNone) first = std::min(first, at + key.size());
    }
    return first;
  }

  // After the first colon; a line without one is part of a longer value.
  static std::size_t value_of(std::string_view line, std::size_t indent) {
    const std::size_t colon = line.find(':', indent);
    return colon == kNone ? indent : colon + 1;
  }

  // A quote that isn't closed on its line may continue anywhere.
  static bool opens_quote(std::string_view value) {
    const auto is_odd = [&](char quote) { return std::count(value.begin(), value.end(), quote) % 2 != 0; };
    return is_odd('"') || is_odd('\'');
  }

  std::string_view text_;
  FileId file_;
  const SecretNames& names_;
  std::vector<Span> found_;
  bool in_section_ = false;
  bool to_the_end_ = false;
  std::size_t secret_indent_ = kNone;  // of the key whose value the following deeper lines belong to
};

bool has(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

std::vector<Span> secret_lines(std::string_view text, FileId file, bool assignment, const SecretNames& names) {
  if (!assignment) return LineWalk(text, file, names).walk();
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view path = text.substr(0, equals);
  if (!has(path, names.keys) && !has(path, names.sections)) return {};
  const std::size_t begin = equals == text.size() ? path.find_first_of(" :[{") : equals + 1;
  if (begin >= text.size()) return {};
  return {{file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())}};
}

std::vector<Span> unread_secrets(const SourceSet& sources, const SecretNames& names) {
  std::vector<Span> secrets;
  const auto add = [&](const std::vector<Span>& found) { secrets.insert(secrets.end(), found.begin(), found.end()); };
  for (const FileId file : sources.files()) {
    const std::string_view text = sources.text(file);
    add(secret_lines(text, file, sources.path(file).starts_with("--set"), names));
    // A Secret without a line `kind:`, such as one in flow style, was read as values.
    const bool is_manifest =
        text.find("apiVersion") != std::string_view::npos || text.find("\"stringData\"") != std::string_view::npos;
    if (is_manifest) add(secrets::unread_manifest_secrets({file, 0, static_cast<std::uint32_t>(text.size())}, sources));
  }
  return secrets;
}

}  // namespace capwright
