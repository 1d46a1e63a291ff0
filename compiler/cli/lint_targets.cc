// A file is a cluster's values when it lies in a folder of values, or when no document in it has a kind.
#include "cli/lint_targets.h"

#include <algorithm>
#include <cstdio>

#include "files/io_fault.h"

namespace capwright::cli {
namespace {

constexpr int kDeepestFolder = 32;

bool has_manifest_name(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

// Whether a line, or a key of JSON, says `kind`.
bool has_kind(std::string_view text) {
  return text.starts_with("kind:") || text.find("\nkind:") != std::string_view::npos ||
         text.find("\"kind\"") != std::string_view::npos;
}

std::string standard_input(std::size_t most) {
  std::string text;
  char buffer[16 * 1024];
  while (text.size() <= most) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, stdin);
    if (count == 0) break;
    text.append(buffer, count);
  }
  return text;
}

class TargetFinder {
 public:
  TargetFinder(OpenProject& open, const LintOptions& options) : open_(open), options_(options) {}

  LintTargets find() {
    std::vector<std::string> clusters;
    for (const std::string& target : options_.targets) {
      FileStat stat;
      if (target == "-") add_input();
      else if (open_.fs.stat(target, stat)) clusters.push_back(target);
      else if (stat.type == FileType::Directory) add_folder(target, 0);
      else add_file(target, clusters);
    }
    if (!clusters.empty() || options_.targets.empty()) targets_.values = choose_clusters(open_, clusters);
    return std::move(targets_);
  }

 private:
  void add_input() {
    const std::string path = options_.stdin_filename.value_or("<stdin>");
    targets_.manifests.push_back({path, standard_input(open_.limits.input_bytes)});
  }

  bool is_values(const std::string& path, std::string_view text) const {
    const std::string shown = open_.project->workspace().shown_path(path);
    const auto& folders = open_.project->config().values;
    const bool below = std::any_of(folders.begin(), folders.end(),
                                   [&](const std::string& folder) { return shown.starts_with(folder + "/"); });
    return below || !has_kind(text);
  }

  bool read(const std::string& path, std::string& text) {
    const IoError error = open_.fs.read(path, text, open_.limits.input_bytes);
    if (error) report_io_fault(open_.sink, IoTask::Read, path, error, {});
    return !error;
  }

  void add_file(const std::string& path, std::vector<std::string>& clusters) {
    std::string text;
    if (!read(path, text)) return;
    if (is_values(path, text)) clusters.push_back(path);
    else targets_.manifests.push_back({open_.project->workspace().shown_path(path), std::move(text)});
  }

  void add_folder(const std::string& folder, int depth) {
    std::vector<DirEntry> entries;
    if (depth > kDeepestFolder) return;
    const IoError error = open_.fs.list(folder, entries);
    if (error) report_io_fault(open_.sink, IoTask::Read, folder, error, {});
    std::sort(entries.begin(), entries.end(), [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
    for (const DirEntry& entry : entries) {
      const std::string path = folder.ends_with('/') ? folder + entry.name : folder + "/" + entry.name;
      std::string text;
      if (entry.name.starts_with('.')) continue;
      if (entry.type == FileType::Directory) add_folder(path, depth + 1);
      else if (has_manifest_name(entry.name) && read(path, text))
        targets_.manifests.push_back({open_.project->workspace().shown_path(path), std::move(text)});
    }
  }

  OpenProject& open_;
  const LintOptions& options_;
  LintTargets targets_;
};

}  // namespace

LintTargets find_lint_targets(OpenProject& open, const LintOptions& options) {
  return TargetFinder(open, options).find();
}

}  // namespace capwright::cli
