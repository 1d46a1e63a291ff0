// Compares real paths, because `output` and the folders of values may be links.
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "diag/catalog/repository.h"
#include "pipeline/own_templates.h"
#include "pipeline/repository_bounds.h"

namespace capwright {
namespace {

// Folders of a repository that are read, if they exist, without being named.
constexpr std::string_view kReadFolders[] = {"golden", "lint-rules", "schemas", "vendor"};

// The fixed folder of a glob; empty: all folders.
std::string folder_of_glob(std::string_view glob) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?"));
  const std::size_t slash = fixed.rfind('/');
  return fixed.size() == glob.size() || slash == std::string_view::npos ? std::string(fixed)
                                                                        : std::string(fixed.substr(0, slash));
}

// Files that `patches` and `resources` name.
void add_own_objects(const Value& document, std::vector<std::string>& paths) {
  const auto add = [&](const Value* path) {
    if (path != nullptr && path->is(Kind::String)) paths.emplace_back(path->text());
  };
  const auto each = [&](std::string_view key, const auto& visit) {
    const Value* list = document.find(key);
    if (list == nullptr || !list->is(Kind::List)) return;
    for (const Value& item : list->items()) visit(item);
  };
  each("patches", [&](const Value& patch) { add(patch.is(Kind::Map) ? patch.find("path") : nullptr); });
  each("resources", [&](const Value& resource) { add(&resource); });
}

std::vector<std::string> read_paths(const Config& config, const Value& document) {
  std::vector<std::string> paths = config.values;
  add_own_objects(document, paths);
  paths.push_back(config.templates);
  paths.push_back(config.own_templates->folder);
  if (config.own_templates->schema) paths.push_back(*config.own_templates->schema);
  for (const LayerRule& layer : config.layers) paths.push_back(layer.file);
  for (const RuleFiles& rules : config.lint.rules) paths.push_back(folder_of_glob(rules.glob));
  paths.push_back(config.lint.baseline);
  paths.push_back(config.catalogue.folder);
  paths.insert(paths.end(), std::begin(kReadFolders), std::end(kReadFolders));
  std::erase(paths, "");
  return paths;
}

class OutputsReader {
 public:
  // `inputs`: the files and folders that capwright reads; `output`: the folder that paths are relative to.
  OutputsReader(FileSystem& fs, const Workspace& workspace, std::vector<std::string> inputs, std::string output,
                Stage& stage)
      : fs_(fs), workspace_(workspace), inputs_(std::move(inputs)), output_(std::move(output)), stage_(stage) {}

  Outputs read(const Value& list) {
    const std::size_t errors = stage_.sink.error_count();
    for (const Value& text : list.items()) add(text);
    return stage_.sink.error_count() == errors ? Outputs(std::move(patterns_)) : Outputs();
  }

 private:
  void add(const Value& text) {
    std::string why;
    auto pattern = OutputPattern::parse(text.text(), why);
    if (pattern) {
      if (const std::string input = reached_input(*pattern); !input.empty())
        why = fmt::format("it reaches `{}`, which capwright reads", input);
    }
    if (!why.empty()) {
      stage_.sink.report(diag::bad_output_pattern, stage_.span_of(text), std::string(text.text()), why);
      return;
    }
    for (const OutputPattern& other : patterns_) {
      if (!pattern->clashes_with(other)) continue;
      stage_.sink.report(diag::ambiguous_outputs, stage_.span_of(text), other.text(), pattern->text());
      return;
    }
    patterns_.push_back(*std::move(pattern));
  }

  std::filesystem::path real(const std::string& path) const {
    return std::filesystem::path(real_path_of(fs_, workspace_.io_path(path))).lexically_normal();
  }

  // A file or folder that is read, and that files of the pattern may be in, above or at; empty: none.
  std::string reached_input(const OutputPattern& pattern) const {
    const std::filesystem::path output = real(output_);
    for (const std::string& path : inputs_) {
      std::string from_output = real(path).lexically_relative(output).string();
      while (from_output.ends_with('/')) from_output.pop_back();
      const bool is_above = from_output.find_first_not_of("./") == std::string::npos;
      if (is_above || (!from_output.starts_with("../") && pattern.reaches(from_output))) return path;
    }
    return {};
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  std::vector<std::string> inputs_;
  std::string output_;
  Stage& stage_;
  std::vector<OutputPattern> patterns_;
};

}  // namespace

Outputs read_outputs(FileSystem& fs, const Workspace& workspace, const Value& document, const Config& config,
                     Stage& stage) {
  const Value* list = document.find("template")->find("outputs");
  if (list == nullptr) return {};
  return OutputsReader(fs, workspace, read_paths(config, document), config.output, stage).read(*list);
}

}  // namespace capwright
