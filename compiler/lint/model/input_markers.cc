// What Helm and kustomize say about the origin of an object; and, for a Helm template, the value that its line prints.
#include <algorithm>
#include <filesystem>

#include "lint/model/cluster.h"
#include "lint/model/input_map.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kOrigin = "config.kubernetes.io/origin";
constexpr std::string_view kHelmSource = "# Source: ";

// The path in the comment above a document; empty: there is none.
std::string_view helm_source(const Document& document) {
  std::string_view before = document.cluster->sources().text(document.span.file).substr(0, document.span.begin);
  while (!before.empty()) {
    before.remove_suffix(before.ends_with('\n') ? 1 : 0);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    std::string_view line = before.substr(start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with(kHelmSource)) return line.substr(kHelmSource.size());
    if (!line.empty() && !line.starts_with('#')) return {};
    before = before.substr(0, start);
  }
  return {};
}

FieldPath field_of(const auto& steps) {
  FieldPath path;
  for (const auto& step : steps) path.emplace_back(step.key.empty() ? kAnyItem : step.key);
  return path;
}

// The texts of `-f`, `--values` and the like, in order.
std::vector<std::string> values_options(const std::vector<std::string>& command) {
  std::vector<std::string> files;
  const auto add = [&](std::string_view list) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      files.push_back(joined_path("", list.substr(0, end)));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if ((word == "-f" || word == "--values") && i + 1 < command.size()) add(command[++i]);
    else if (word.size() > 2 && word.starts_with("-f")) add(word.substr(word[2] == '=' ? 3 : 2));
    else if (word.starts_with("--values=")) add(word.substr(std::string_view("--values=").size()));
  }
  return files;
}

}  // namespace

InputMap::Input* InputMap::marked_input(const Document& document) {
  if (const std::string_view source = helm_source(document); !source.empty()) {
    const std::size_t slash = source.find('/');
    const auto chart = charts_.find(source.substr(0, slash));
    if (slash == std::string_view::npos || chart == charts_.end()) return nullptr;
    return input_at(joined_path(chart->second, source.substr(slash + 1)));
  }
  const Node origin = Node(document)["metadata.annotations"].member(kOrigin).yaml();
  const Node path = origin.is(Kind::Map) && !origin["repo"].exists() ? origin["path"] : Node();
  if (path.text().empty()) return nullptr;
  Input* found = nullptr;
  for (const std::string& folder : overlays_) {
    Input* input = input_at(joined_path(folder, path.text()));
    if (input == nullptr || input == found) continue;
    if (found != nullptr) return nullptr;
    found = input;
  }
  return found;
}

std::string InputMap::marked_file(const Document& document) {
  if (!output_.by_markers) return {};
  read_inputs();
  const Input* marked = marked_input(document);
  return marked == nullptr ? std::string() : marked->path;
}

Span InputMap::find_in_template(const Input& input, const Steps& steps, const Node& object) const {
  const HelmTemplate lines = read_helm_template(input.file, cluster_.sources().text(input.file));
  const TemplateLine* line = lines.only_line(field_of(steps), object["kind"].text(), object["metadata.name"].text());
  if (line == nullptr) return {};
  const Node leaf = steps.back().at;
  const bool is_inner = leaf.is(Kind::List) || leaf.is(Kind::Map);
  if (line->has_action()) {
    const Span value = is_inner ? Span() : find_in_values(*line, leaf, input);
    // An action on a line of its own could print the field, too, in another case.
    return value.known() || lines.inserts[line->document] ? value : line->value;
  }
  if (is_inner) return line->text.empty() && !lines.inserts[line->document] ? line->key : Span();
  std::string_view text = line->text;
  const bool is_quoted = text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  if (is_quoted) text = text.substr(1, text.size() - 2);
  return text == leaf.written() ? line->value : Span();
}

std::string InputMap::chart_of(std::string_view path) const {
  for (const auto& [name, folder] : charts_) {
    if (path.starts_with(joined_path(folder, "templates") + "/")) return folder;
  }
  return {};
}

// The files of the command's values, the chart's own first. Empty optional: the order isn't known, or the chart is part
// of another, which scopes its values.
std::optional<std::vector<std::string>> InputMap::values_files(const std::string& chart) const {
  const std::vector<std::string>& command = output_.command;
  const bool sets =
      std::any_of(command.begin(), command.end(), [](const auto& word) { return word.starts_with("--set"); });
  const bool is_part = std::any_of(charts_.begin(), charts_.end(), [&](const auto& other) {
    return chart.starts_with(joined_path(other.second, "charts") + "/");
  });
  if (sets || is_part || command.empty() || std::filesystem::path(command[0]).filename() != "helm") return std::nullopt;
  std::vector<std::string> files = {joined_path(chart, "values.yaml")};
  for (std::string& file : values_options(command)) files.push_back(std::move(file));
  return files;
}

// The last file that sets the value wins.
Span InputMap::find_in_values(const TemplateLine& line, const Node& made, const Input& from) const {
  const std::string path = values_path_in(line.text);
  const auto files = values_files(chart_of(from.path));
  if (path.empty() || !files) return {};
  Node found;
  for (const std::string& file : *files) {
    const auto input = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.path == file; });
    if (input == inputs_.end() && &file == &files->front()) continue;  // a chart needn't have one
    if (input == inputs_.end()) return {};
    for (const Document& document : input->documents) {
      Node node(document);
      for (std::size_t at = 0; at < path.size() && node.exists();) {
        const std::size_t end = std::min(path.find('.', at), path.size());
        node = node.is(Kind::Map) ? node.member(std::string_view(path).substr(at, end - at)) : Node();
        at = end + 1;
      }
      if (node.exists()) found = node;
    }
  }
  const bool is_it =
      found.exists() && !found.is(Kind::Map) && !found.is(Kind::List) && found.written() == made.written();
  return is_it ? found.span() : Span();
}

}  // namespace capwright::lint
