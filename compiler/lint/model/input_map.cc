// Reads the inputs, and finds the place of a field in them.
#include "lint/model/input_map.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "files/path_rules.h"
#include "lint/model/cluster.h"
#include "yaml/read.h"

namespace capwright::lint {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

bool is_kustomization(std::string_view path) {
  const std::string_view name = file_name(path);
  return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization";
}

bool is_scalar(const Node& node) { return node.exists() && !node.is(Kind::List) && !node.is(Kind::Map); }

// Fields that every patch repeats to say what it is about.
bool is_identity(const std::vector<std::string_view>& keys) {
  const bool is_in_metadata = keys.size() == 2 && keys[0] == "metadata";
  if (is_in_metadata) return keys[1] == "name" || keys[1] == "namespace";
  return keys.size() == 1 && (keys[0] == "apiVersion" || keys[0] == "kind");
}

std::string unescaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~' || i + 1 == token.size()) text += token[i];
    else text += token[++i] == '1' ? '/' : '~';
  }
  return text;
}

std::vector<std::string> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  while (pointer.starts_with('/')) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    tokens.push_back(unescaped(pointer.substr(1, end - 1)));
    pointer.remove_prefix(end);
  }
  return tokens;
}

// Whether the text is some of the pieces, one after another.
bool consists_of(std::string_view text, const std::vector<std::string_view>& pieces, bool from_end) {
  if (text.empty()) return true;
  return std::any_of(pieces.begin(), pieces.end(), [&](std::string_view piece) {
    if (piece.empty()) return false;
    if (from_end) return text.ends_with(piece) && consists_of(text.substr(0, text.size() - piece.size()), pieces, true);
    return text.starts_with(piece) && consists_of(text.substr(piece.size()), pieces, false);
  });
}

}  // namespace

std::string joined_path(std::string_view folder, std::string_view path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

InputMap::InputMap(const CommandOutput& output, SourceSet& sources, const Cluster& cluster)
    : output_(output), cluster_(cluster) {
  for (const CommandOutput::Input& input : output.inputs)
    files_.push_back(sources.add_borrowed(input.path, input.text));
}

void InputMap::read_inputs() {
  if (has_read_) return;
  has_read_ = true;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Input& input = inputs_.emplace_back();
    input.path = output_.inputs[i].path;
    input.file = files_[i];
    if (file_name(input.path) == "Chart.yaml") {
      read(input);
      if (input.documents.size() != 1) continue;
      const std::string_view name = Node(input.documents.front())["name"].text();
      charts_.emplace(name, folder_of(input.path));
    }
  }
  for (Input& input : inputs_) {
    input.is_template = is_chart_template(input.path);
    if (!input.is_template && input.documents.empty()) read(input);
  }
  for (const Input& input : inputs_) {
    if (is_kustomization(input.path) && input.documents.size() == 1) read_kustomization(input);
  }
}

bool InputMap::is_chart_template(std::string_view path) const {
  return std::any_of(charts_.begin(), charts_.end(),
                     [&](const auto& chart) { return path.starts_with(joined_path(chart.second, "templates") + "/"); });
}

// A text that isn't YAML may be a template of another tool.
void InputMap::read(Input& input) {
  if (!has_data_name(input.path) && !is_kustomization(input.path)) return;
  Stage stage = cluster_.stage();
  const std::size_t errors = stage.sink.error_count();
  const std::vector<YamlDocument> documents =
      read_yaml_documents(input.file, stage, {ScalarRules::Kubernetes, TextSyntax::ByName});
  input.is_template = stage.sink.error_count() != errors;
  if (input.is_template) return;
  for (const YamlDocument& document : documents) {
    if (document.value.is(Kind::Map) || document.value.is(Kind::List))
      input.documents.push_back({document.value, document.span, &stage.origins, &cluster_});
  }
}

InputMap::Input* InputMap::input_at(std::string_view path) {
  const auto found = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.path == path; });
  return found == inputs_.end() ? nullptr : &*found;
}

void InputMap::read_kustomization(const Input& input) {
  const Node root(input.documents.front());
  const std::string folder = folder_of(input.path);
  overlays_.push_back(folder);
  if (const Node prefix = root["namePrefix"]) prefixes_.push_back(prefix.text());
  if (const Node suffix = root["nameSuffix"]) suffixes_.push_back(suffix.text());
  for (const std::string_view key : {"patches", "patchesJson6902", "patchesStrategicMerge"}) {
    for (const Node entry : root.member(key).items()) add_patch(entry, folder);
  }
}

// An entry is a file, a text, or a map with one of them.
void InputMap::add_patch(const Node& entry, std::string_view folder) {
  const Node target = entry.is(Kind::Map) ? entry["target"] : Node();
  Patch patch{{},
              target.exists() ? target["kind"].text() : std::string_view(),
              target.exists() ? target["name"].text() : std::string_view(),
              target.exists()};
  const Node path = entry.is(Kind::Map) ? entry["path"] : entry;
  Input* file = path.text().empty() ? nullptr : input_at(joined_path(folder, path.text()));
  if (file != nullptr) {
    file->is_patch = true;
    for (const Document& document : file->documents) {
      patch.root = Node(document);
      patches_.push_back(patch);
    }
    return;
  }
  const Node text = entry.is(Kind::Map) ? entry["patch"] : entry;
  patch.root = text.is(Kind::String) ? text.yaml() : Node();
  if (patch.root.exists()) patches_.push_back(patch);
}

// With the prefixes and suffixes of the kustomizations.
bool InputMap::is_named(std::string_view made, std::string_view written) const {
  if (written.empty()) return false;
  for (std::size_t at = made.find(written); at != std::string_view::npos; at = made.find(written, at + 1)) {
    if (consists_of(made.substr(0, at), prefixes_, false) &&
        consists_of(made.substr(at + written.size()), suffixes_, true))
      return true;
  }
  return false;
}

// From the root to the scalar, or to the list or map whose key is there.
bool InputMap::walk(const Node& node, Span place, Steps& steps) {
  for (const auto& [key, value] : node.members()) {
    steps.push_back({key, 0, value});
    const bool is_here = is_scalar(value) ? value.whole_span() == place : value.key_span() == place;
    if (is_here || (!is_scalar(value) && walk(value, place, steps))) return true;
    steps.pop_back();
  }
  std::size_t index = 0;
  for (const Node item : node.items()) {
    steps.push_back({{}, index++, item});
    if (item.whole_span() == place || (!is_scalar(item) && walk(item, place, steps))) return true;
    steps.pop_back();
  }
  return false;
}

// Items with names are found by these; others by their position, in lists of the same length.
Node InputMap::follow(Node node, const Steps& steps, std::size_t from) {
  for (std::size_t i = from; i < steps.size() && node.exists(); ++i) {
    const Step& step = steps[i];
    if (!step.key.empty()) {
      node = node.is(Kind::Map) ? node.member(step.key) : Node();
      continue;
    }
    const std::string_view name = step.at.is(Kind::Map) ? step.at["name"].text() : std::string_view();
    if (name.empty()) {
      const bool fits = i == 0 || node.size() == steps[i - 1].at.size();
      node = fits ? node.item(step.index) : Node();
      continue;
    }
    Node found;
    std::size_t count = 0;
    for (const Node item : node.items()) {
      if (!item.is(Kind::Map) || item["name"].text() != name) continue;
      found = item;
      ++count;
    }
    node = count == 1 ? found : Node();
  }
  return node;
}

bool InputMap::is_same(const Node& made, const Node& written) {
  if (!written.exists() || made.value().kind() != written.value().kind()) return false;
  return !is_scalar(made) || made.written() == written.written();
}

Span InputMap::find(const Document& document, Span place) {
  const auto [known, is_new] = known_.try_emplace(place);
  if (!is_new) return known->second;
  read_inputs();
  Steps steps;
  if (!walk(Node(document), place, steps)) return {};
  const Input* marked = output_.by_markers ? marked_input(document) : nullptr;
  Span found;
  if (marked != nullptr && marked->is_template) found = find_in_template(*marked, steps, Node(document));
  else if (marked != nullptr || output_.by_search) found = find_field(document, steps, marked);
  if (!found.known() && output_.by_search) found = find_scalar(document, steps);
  known->second = found;
  return found;
}

// Patches win over what they patch. If one sets the field to another value, something unknown made this one.
Span InputMap::find_field(const Document& document, const Steps& steps, const Input* marked) const {
  const Node root(document);
  std::vector<std::string_view> keys;
  for (const Step& step : steps) keys.push_back(step.key);
  if (output_.by_search && is_scalar(steps.back().at) && !is_identity(keys)) {
    const Hits patches = hits_of_patches(root, steps);
    if (!patches.places.empty() || patches.has_others) return patches.only();
  }
  const Node resource = resource_of(root, marked);
  const Node field = resource.exists() ? follow(resource, steps, 0) : Node();
  const bool is_name = keys == std::vector<std::string_view>{"metadata", "name"};
  if (is_same(steps.back().at, field) || (is_name && field.exists())) return field.span();
  const bool is_inner = !is_scalar(steps.back().at);
  return is_inner && output_.by_search && !resource.exists() ? hits_of_patches(root, steps).only() : Span();
}

// The only object of the inputs that can have become this one; of several, the one in the same namespace.
Node InputMap::resource_of(const Node& root, const Input* marked) const {
  std::vector<Node> found;
  for (const Input& input : inputs_) {
    if (input.is_patch || (marked != nullptr && &input != marked)) continue;
    for (const Document& document : input.documents) {
      const Node written(document);
      if (!written.is(Kind::Map) || written["kind"].text() != root["kind"].text()) continue;
      if (is_named(root["metadata.name"].text(), written["metadata.name"].text())) found.push_back(written);
    }
  }
  if (found.size() > 1) {
    const std::string_view space = root["metadata.namespace"].text();
    std::erase_if(found, [&](const Node& each) { return each["metadata.namespace"].text() != space; });
  }
  return found.size() == 1 ? found[0] : Node();
}

InputMap::Hits InputMap::hits_of_patches(const Node& root, const Steps& steps) const {
  Hits hits;
  for (const Patch& patch : patches_) {
    const bool is_list = patch.root.is(Kind::List);
    const bool names_itself = !patch.has_target && !is_list;
    const std::string_view kind = names_itself ? patch.root["kind"].text() : patch.kind;
    const std::string_view name = names_itself ? patch.root["metadata.name"].text() : patch.name;
    if (!kind.empty() && kind != root["kind"].text()) continue;
    const bool is_pattern = name.find_first_of(".*+?[(|^$\\") != std::string_view::npos;
    if (!name.empty() && !is_pattern && !is_named(root["metadata.name"].text(), name)) continue;
    if (is_list) add_json_patch(patch.root, steps, hits);
    else hits.add(steps.back().at, follow(patch.root, steps, 0));
  }
  return hits;
}

void InputMap::add_json_patch(const Node& operations, const Steps& steps, Hits& hits) {
  for (const Node operation : operations.items()) {
    if (!operation.is(Kind::Map)) continue;
    const std::string_view what = operation["op"].text();
    const std::vector<std::string> tokens = tokens_of(operation["path"].text());
    if ((what != "add" && what != "replace") || tokens.empty() || tokens.size() > steps.size()) continue;
    const auto is_step = [](const std::string& token, const Step& step) {
      return step.key.empty() ? token == fmt::to_string(step.index) : token == step.key;
    };
    if (!std::equal(tokens.begin(), tokens.end(), steps.begin(), is_step)) continue;
    hits.add(steps.back().at, follow(operation["value"], steps, tokens.size()));
  }
}

void InputMap::Hits::add(const Node& made, const Node& written) {
  if (is_same(made, written)) places.push_back(written.span());
  else has_others = has_others || written.exists();
}

// The only scalar under the same key in files without objects, such as values, if the output has it once, too. The
// same scalar in an object makes it ambiguous.
Span InputMap::find_scalar(const Document& document, const Steps& steps) const {
  const Node leaf = steps.back().at;
  const std::string_view key = steps.back().key;
  const bool is_common = !is_scalar(leaf) || leaf.is(Kind::Null) || leaf.is(Kind::Bool) || leaf.written().empty();
  if (is_common || key.empty()) return {};
  std::vector<Span> made, written, in_objects;
  const auto look = [&](const auto& self, const Node& node, std::vector<Span>& found) -> void {
    for (const Node item : node.items()) self(self, item, found);
    for (const auto& [name, value] : node.members()) {
      if (name == key && is_same(leaf, value)) found.push_back(value.span());
      self(self, value, found);
    }
  };
  for (const Document& other : document.file->documents) look(look, Node(other), made);
  if (made.size() != 1) return {};
  for (const Input& input : inputs_) {
    const bool has_objects = is_kustomization(input.path) || input.is_patch;
    for (const Document& each : input.documents)
      look(look, Node(each), has_objects || Node(each)["kind"].exists() ? in_objects : written);
    if (!input.is_template) continue;
    const HelmTemplate lines = read_helm_template(input.file, cluster_.sources().text(input.file));
    for (const TemplateLine& line : lines.lines) {
      if (line.path.back() == key && cluster_.sources().text(line.value) == leaf.written())
        in_objects.push_back(line.value);
    }
  }
  return written.size() == 1 && in_objects.empty() ? written[0] : Span();
}

}  // namespace capwright::lint
