// Knows as much of YAML as templates of manifests use: keys, items, comments, and marks between documents.
#include "lint/model/helm_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/trim.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kSpaces = " \t\r";
constexpr std::string_view kUnreadable = "?";  // a key that an action prints

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_char(text[at - 1])) && (end == text.size() || !is_word_char(text[end]))) return true;
  }
  return false;
}

// Whether an action prints text, which may have keys.
bool prints(std::string_view action) {
  constexpr std::array kStatements = {"if", "else", "end", "range", "with", "define", "block", "break", "continue"};
  std::string_view words = trimmed(action.substr(2), kSpaces);
  while (!words.empty() && (words[0] == '-' || kSpaces.find(words[0]) != std::string_view::npos))
    words.remove_prefix(1);
  if (words.starts_with("/*")) return false;
  if (words.starts_with('$') && words.find('=') != std::string_view::npos) return false;
  return std::none_of(kStatements.begin(), kStatements.end(), [&](std::string_view statement) {
    return words.starts_with(statement) && (words.size() == statement.size() || !is_word_char(words[statement.size()]));
  });
}

// Where the `:` after a key is; npos: the line has no key.
std::size_t colon_in(std::string_view line) {
  const bool is_quoted = !line.empty() && (line[0] == '"' || line[0] == '\'');
  const std::size_t from = is_quoted ? line.find(line[0], 1) : 0;
  if (from == std::string_view::npos) return from;
  for (std::size_t at = line.find(':', from); at != std::string_view::npos; at = line.find(':', at + 1)) {
    if (at + 1 == line.size() || kSpaces.find(line[at + 1]) != std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

class Reader {
 public:
  Reader(FileId file, std::string_view text) : file_(file), text_(text) { made_.inserts.push_back(false); }

  HelmTemplate read() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      add_line(text_.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    return std::move(made_);
  }

 private:
  struct Level {
    std::size_t indent;
    std::string step;
  };

  void add_line(std::string_view line, std::size_t begin) {
    const std::string_view content = trimmed(line, kSpaces);
    if (is_in_action_) {
      is_in_action_ = content.find("}}") == std::string_view::npos;
      return;
    }
    if (content.starts_with("---")) {
      levels_.clear();
      made_.inserts.push_back(false);
    } else if (content.starts_with("{{")) {
      if (prints(content)) made_.inserts.back() = true;
    } else if (!content.empty() && content[0] != '#') {
      add_keys(line, begin);
    }
    const std::size_t opened = content.rfind("{{");
    is_in_action_ = opened != std::string_view::npos && content.find("}}", opened) == std::string_view::npos;
  }

  void add_keys(std::string_view line, std::size_t begin) {
    std::size_t indent = line.find_first_not_of(' ');
    while (line.substr(indent).starts_with("- ") || line.substr(indent) == "-") {
      leave(indent, true);
      levels_.push_back({indent, std::string(kAnyItem)});
      indent = std::min(line.find_first_not_of(' ', indent + 1), line.size());
    }
    const std::string_view rest = line.substr(indent);
    const std::size_t colon = colon_in(rest);
    if (colon == std::string_view::npos) return;
    leave(indent, false);
    const std::string_view key = rest.substr(0, colon);
    const bool is_readable = key.find("{{") == std::string_view::npos;
    levels_.push_back({indent, std::string(is_readable ? without_quotes(key) : kUnreadable)});
    if (!is_readable) {
      made_.inserts.back() = true;
      return;
    }
    add_value(rest, colon, begin + indent);
  }

  void add_value(std::string_view rest, std::size_t colon, std::size_t begin) {
    std::string_view value = trimmed(rest.substr(colon + 1), kSpaces);
    if (const std::size_t comment = value.find(" #"); comment != std::string_view::npos)
      value = trimmed(value.substr(0, comment), kSpaces);
    if (value.starts_with('#')) value = {};
    TemplateLine& line = made_.lines.emplace_back();
    for (const Level& level : levels_) line.path.push_back(level.step);
    const auto at = [&](std::size_t offset) { return static_cast<std::uint32_t>(begin + offset); };
    line.key = {file_, at(0), at(colon)};
    const std::size_t offset = value.empty() ? colon + 1 : static_cast<std::size_t>(value.data() - rest.data());
    line.value = {file_, at(offset), at(offset + value.size())};
    line.text = value;
    line.document = made_.inserts.size() - 1;
  }

  // Items may be as far to the right as the key of their list.
  void leave(std::size_t indent, bool is_item) {
    while (!levels_.empty() && (levels_.back().indent > indent ||
                                (levels_.back().indent == indent && !(is_item && levels_.back().step != kAnyItem))))
      levels_.pop_back();
  }

  FileId file_;
  std::string_view text_;
  HelmTemplate made_;
  std::vector<Level> levels_;
  bool is_in_action_ = false;
};

}  // namespace

const TemplateLine* HelmTemplate::only_line(const FieldPath& path, std::string_view kind, std::string_view name) const {
  const FieldPath kind_path{"kind"}, name_path{"metadata", "name"};
  const auto is_other = [&](const TemplateLine& line) {
    const bool is_kind = line.path == kind_path;
    if (line.has_action() || (!is_kind && line.path != name_path)) return false;
    return without_quotes(line.text) != (is_kind ? kind : name);
  };
  const auto can_be_of = [&](std::size_t document) {
    return std::none_of(lines.begin(), lines.end(),
                        [&](const TemplateLine& line) { return line.document == document && is_other(line); });
  };
  const TemplateLine* found = nullptr;
  for (const TemplateLine& line : lines) {
    if (line.path != path || !can_be_of(line.document)) continue;
    if (found != nullptr) return nullptr;
    found = &line;
  }
  return found;
}

HelmTemplate read_helm_template(FileId file, std::string_view text) { return Reader(file, text).read(); }

std::string values_path_in(std::string_view value) {
  constexpr std::string_view kValues = ".Values.";
  const std::string_view action = without_quotes(value);
  const bool is_alone =
      action.starts_with("{{") && action.ends_with("}}") && action.find("{{", 2) == std::string_view::npos;
  const std::size_t at = action.find(kValues);
  if (!is_alone || at == std::string_view::npos || action.find(kValues, at + 1) != std::string_view::npos) return {};
  if (has_word(action, "if") || has_word(action, "ternary") || has_word(action, "index")) return {};
  std::size_t end = at + kValues.size();
  while (end < action.size() && (is_word_char(action[end]) || action[end] == '.')) ++end;
  return std::string(action.substr(at + kValues.size(), end - at - kValues.size()));
}

}  // namespace capwright::lint
