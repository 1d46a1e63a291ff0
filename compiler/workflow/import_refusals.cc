// Texts are read as YAML where they are YAML: a manifest in a ConfigMap is judged by its fields, not by its lines.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "diff/inner.h"
#include "migrate/document.h"
#include "secrets/credentials.h"
#include "secrets/placeholders.h"
#include "text/base64.h"
#include "workflow/import_objects.h"

namespace capwright::workflow {
namespace {

// Texts in texts in texts: deeper ones occur only in hostile input.
constexpr int kDeepestText = 4;

// The words of a shell command. Quotes, `$(…)` and backticks keep a word together.
std::vector<std::string_view> shell_words(std::string_view command) {
  constexpr std::string_view kBetween = " \t\r\n;&|";
  std::vector<std::string_view> words;
  std::size_t begin = std::string_view::npos, depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i <= command.size(); ++i) {
    const char c = i < command.size() ? command[i] : ' ';
    const bool is_open = i < command.size() && (quote != '\0' || depth != 0);
    if (!is_open && kBetween.find(c) != std::string_view::npos) {
      if (begin != std::string_view::npos) words.push_back(command.substr(begin, i - begin));
      begin = std::string_view::npos;
      continue;
    }
    if (begin == std::string_view::npos) begin = i;
    if (quote != '\0') quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'' || c == '`') quote = c;
    else if (c == '(') ++depth;
    else if (c == ')' && depth != 0) --depth;
  }
  return words;
}

std::string_view unquoted(std::string_view word) {
  const bool is_quoted =
      word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front();
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

// `--token=abc`, `--token abc`, `TOKEN=abc`, `echo "password: abc"`.
bool command_sets_secret(std::string_view command) {
  const std::vector<std::string_view> words = shell_words(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = unquoted(words[i]);
    if (secrets::has_secret_line(word)) return true;
    const bool takes_next = word.starts_with("--") && word.find('=') == std::string_view::npos &&
                            i + 1 < words.size() && !words[i + 1].starts_with('-');
    if (takes_next && secrets::has_secret_line(fmt::format("{}={}", word, words[i + 1]))) return true;
  }
  return false;
}

std::string path_below(const std::string& path, std::string_view key) {
  return fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
}

class SecretSearch {
 public:
  explicit SecretSearch(diff::Side& side) : side_(side) {}

  bool find_in(const Value& value, std::string_view key, const std::string& path) {
    if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (find_in(value.items()[i], key, fmt::format("{}[{}]", path, i))) return true;
      }
    } else if (value.is(Kind::Map)) {
      return find_in_map(value, path);
    } else if (value.is(Kind::String) && is_secret(value, key, path)) {
      if (found.empty()) found = path;
      return true;
    }
    return false;
  }

  std::string found;

 private:
  bool find_in_map(const Value& map, const std::string& path) {
    // A variable of a container.
    const std::string_view name = map.text_at("name"), set = map.text_at("value");
    if (secrets::is_secret_name(name) && secrets::exposure_of(name, set) == secrets::Exposure::Readable) {
      found = path_below(path, "value");
      return true;
    }
    return std::any_of(map.entries().begin(), map.entries().end(), [&](const Entry& entry) {
      const std::string_view key = entry.key.text();
      return key != diff::kLastApplied && find_in(entry.value, key, path_below(path, key));
    });
  }

  bool is_secret(const Value& value, std::string_view key, const std::string& path) {
    const std::string_view text = value.text();
    const bool is_readable = secrets::exposure_of(key, text) == secrets::Exposure::Readable;
    if (secrets::is_secret_name(key) && is_readable) return true;
    if (!secrets::key_material_in(text).empty() || secrets::is_random_secret(key, text)) return true;
    if (key.ends_with("ommands") || key == "command" || key == "args") return command_sets_secret(text);
    if (path.starts_with("metadata.annotations.") && secrets::is_called_secret(key.substr(key.rfind('/') + 1)))
      return is_readable;
    const bool is_text = text.find('\n') != std::string_view::npos || text.starts_with('{') || text.starts_with('[');
    return (is_text || key == "content") && depth_ < kDeepestText && is_secret_text(value, path);
  }

  // A file, or one or several documents. One that isn't valid, such as one with a key twice, must not hide the others.
  bool is_secret_text(const Value& value, const std::string& path) {
    const std::vector<Value> documents = diff::documents_in(value, side_);
    const std::vector<std::string_view> parts = migrate::documents_of(value.text());
    if (documents.empty() && parts.size() > 1) {
      return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return is_secret_text(make_string(side_.stage().arena, part).with_origin(value.origin()), path);
      });
    }
    const bool are_objects =
        !documents.empty() && std::all_of(documents.begin(), documents.end(), [](const Value& each) {
          return each.is(Kind::Map) && each.find("kind") != nullptr;
        });
    if (!are_objects) return secrets::holds_secret_document(value.text()) || secrets::has_secret_line(value.text());
    ++depth_;
    const bool is_found = std::any_of(documents.begin(), documents.end(), [&](const Value& each) {
      return has_readable_data(each) || find_in(each, "", "");
    });
    --depth_;
    if (is_found) found = path;
    return is_found;
  }

  // Of a Secret, or of one in a List.
  static bool has_readable_data(const Value& document) {
    const Value* items = document.find("items");
    if (items != nullptr && items->is(Kind::List)) {
      return std::any_of(items->items().begin(), items->items().end(),
                         [](const Value& item) { return item.is(Kind::Map) && has_readable_data(item); });
    }
    if (!diff::is_secret_object(document)) return false;
    for (const std::string_view field : {"data", "stringData"}) {
      const Value* data = document.find(field);
      if (data == nullptr || !data->is(Kind::Map)) continue;
      for (const Entry& entry : data->entries()) {
        if (!entry.value.is(Kind::String)) return true;
        const std::string text =
            field == "data" ? from_base64(entry.value.text()).value_or(std::string()) : std::string(entry.value.text());
        if (secrets::exposure_of(entry.key.text(), text) == secrets::Exposure::Readable) return true;
      }
    }
    return false;
  }

  diff::Side& side_;
  int depth_ = 0;  // of texts in texts
};

}  // namespace

std::string readable_secret_in(const diff::Object& object, diff::Side& side) {
  SecretSearch search(side);
  search.find_in(object.value, "", "");
  return search.found;
}

}  // namespace capwright::workflow
