// Files that capwright or sops wrote stay as they are: the index and the checksum of sops cover their bytes.
#include "workflow/format_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "files/text_diff.h"
#include "pipeline/layers.h"
#include "pipeline/read_source.h"
#include "report/printable.h"
#include "workflow/edited_files.h"
#include "workflow/fixed_files.h"
#include "workflow/shown_path.h"
#include "yaml/read.h"
#include "yaml/tidy.h"

namespace capwright::workflow {
namespace {

class Formatter {
 public:
  explicit Formatter(OpenProject& open)
      : open_(open), stage_{open.sources, open.sink, open.arena, open.origins, open.limits} {}

  FormattedFiles run(const std::vector<std::string>& targets) {
    const Project& project = *open_.project;
    std::vector<std::string> paths;
    for (const std::string& target : targets) {
      if (open_.bounds) open_.bounds->add_work_tree_of(open_.here, target);
      paths.push_back(shown_path(project.workspace(), target));
    }
    if (targets.empty()) {
      paths = find_values_files(open_.fs, project.workspace(), project.config(), open_.sink);
      for (const LayerRule& layer : project.config().layers) paths.push_back(layer.file);
    }
    for (const std::string& path : paths) format(path, Span(), targets.empty());
    const auto by_path = [](const FormattedFile& a, const FormattedFile& b) { return a.shown < b.shown; };
    std::sort(result_.changed.begin(), result_.changed.end(), by_path);
    return std::move(result_);
  }

 private:
  void format(const std::string& path, Span asked_at, bool follows) {
    if (!seen_.insert(path).second) return;
    const auto file = read_source(open_.fs, open_.project->workspace(), path, asked_at, stage_);
    if (!file) return;
    const std::string_view text = open_.sources.text(*file);
    std::string reason;
    if (path.ends_with(".json")) reason = "it is JSON";
    else if (is_rendered(path, open_)) reason = "capwright rendered it";
    const Value value = reason.empty() ? read_yaml(*file, stage_) : Value::null();
    if (value.is_error()) return;
    if (value.is(Kind::Map) && value.find("sops") != nullptr) reason = "`sops` encrypted it";
    std::optional<std::string> tidy = reason.empty() ? tidied(*file, stage_, reason) : std::nullopt;
    if (!tidy) result_.skipped.push_back(fmt::format("`{}` is skipped: {}", report::printable(path), reason));
    else if (*tidy == text) ++result_.unchanged;
    else
      result_.changed.push_back({path, open_.project->workspace().io_path(path), std::string(text), std::move(*tidy)});
    if (follows) format_extended(path, value);
  }

  void format_extended(const std::string& path, const Value& value) {
    const Value* extends = value.find("extends");
    if (extends == nullptr) return;
    for (const Value& name : extends->is(Kind::List) ? extends->items() : std::span(extends, 1)) {
      if (!name.is(Kind::String)) continue;
      const std::filesystem::path folder = std::filesystem::path(path).parent_path();
      format((folder / name.text()).lexically_normal().string(), stage_.span_of(name), true);
    }
  }

  OpenProject& open_;
  Stage stage_;
  std::set<std::string> seen_;
  FormattedFiles result_;
};

}  // namespace

FormattedFiles format_files(OpenProject& open, const std::vector<std::string>& targets) {
  return Formatter(open).run(targets);
}

std::string write_formatted(const FormattedFiles& files) {
  std::vector<FixedFile> fixed;
  for (const FormattedFile& file : files.changed) fixed.push_back({file.shown, file.opened, file.before, file.after});
  RealFs real;
  return write_fixed_files(real, fixed);
}

std::string diff_of(const FormattedFiles& files, OpenProject& open) {
  const SecretNames names = open.project->secret_names();
  std::string all;
  for (const FormattedFile& file : files.changed) {
    const std::string name = report::printable(file.shown);
    const std::string before = without_secrets(file.before, names), after = without_secrets(file.after, names);
    all += unified_diff({name, before}, {name + " (formatted)", after}, {.most_lines = 0});
  }
  return all;
}

}  // namespace capwright::workflow
