// The schema has checked the types; combinations of keys are checked here, for better messages.
#include "pipeline/manifest_sources.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "diag/catalog/repository.h"
#include "pipeline/repository_bounds.h"
#include "text/kubectl.h"

namespace capwright {
namespace {

std::vector<std::string> texts_at(const Value& entry, std::string_view key) {
  std::vector<std::string> texts;
  if (const Value* list = entry.find(key)) {
    for (const Value& text : list->items()) texts.emplace_back(text.text());
  }
  return texts;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Why the keys contradict each other; otherwise empty.
std::string contradiction_in(const Value& entry) {
  const bool has_path = entry.find("path") != nullptr, has_command = entry.find("command") != nullptr;
  if (has_path && has_command) return "it has both `path` and `command`";
  if (!has_path && !has_command) return "it needs `path` or `command`";
  if (has_command) return {};
  for (const std::string_view key : {"inputs", "map", "timeout"}) {
    if (entry.find(key) != nullptr) return fmt::format("`{}` needs `command`", key);
  }
  return {};
}

ManifestSource source_of(const Value& entry, const Stage& stage) {
  ManifestSource source;
  source.name = entry.text_at("name");
  source.where = stage.span_of(*entry.find("name"));
  if (entry.find("path") != nullptr) source.path = normal_path(entry.text_at("path"));
  source.command = texts_at(entry, "command");
  for (const std::string& input : texts_at(entry, "inputs")) source.inputs.push_back(normal_path(input));
  if (entry.find("map") != nullptr) {
    const std::vector<std::string> ways = texts_at(entry, "map");
    source.maps_markers = has_word(ways, "markers");
    source.maps_fields = has_word(ways, "search");
  }
  source.seconds = stage.limits.program_seconds;
  if (const Value* limit = entry.find("timeout"))
    source.seconds =
        static_cast<std::uint32_t>(limit->is(Kind::Float) ? limit->as_float() : static_cast<double>(limit->as_int()));
  return source;
}

}  // namespace

bool ManifestSource::has(std::string_view shown) const {
  if (!is_command()) return path == "." || is_in(shown, path);
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const std::string& input) { return input == "." || is_in(shown, input); });
}

std::string shown_command(const ManifestSource& source) {
  std::string words;
  for (const std::string& word : source.command) {
    if (!words.empty()) words += " ";
    const bool is_option = word.starts_with('-') && shell_word("x" + word).starts_with('x');  // needs no quotes
    words += is_option ? word : shell_word(word);
  }
  return words;
}

std::vector<ManifestSource> read_manifest_sources(const Value& document, Stage& stage) {
  std::vector<ManifestSource> sources;
  const Value* list = document.find("sources");
  if (list == nullptr) return sources;
  std::set<std::string, std::less<>> names;
  for (const Value& entry : list->items()) {
    ManifestSource source = source_of(entry, stage);
    std::string why = contradiction_in(entry);
    if (why.empty() && !names.insert(source.name).second) why = "another source has this name";
    if (why.empty()) sources.push_back(std::move(source));
    else stage.sink.report(diag::invalid_source, source.where, source.name, why);
  }
  return sources;
}

}  // namespace capwright
