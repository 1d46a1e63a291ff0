// What lies in the folder of template sets is of a set. Another file is a cluster's values when it lies in a folder of
// values, or when it is named and no document in it has a kind.
#include "cli/lint_targets.h"

#include <algorithm>

#include "cli/standard_input.h"
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

// Paths without `/` at their ends.
bool is_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.ends_with('/') ? folder + name : folder + "/" + name;
}

class TargetFinder {
 public:
  TargetFinder(OpenProject& open, const TargetRequest& request) : open_(open), request_(request) {}

  LintTargets find() {
    std::vector<std::string> clusters;
    for (const std::string& target : request_.targets) {
      if (target != "-") add(target, clusters);
      else if (request_.stdin_filename) add(*request_.stdin_filename, clusters);
      else add_standard_input();
    }
    if (needs_all_) clusters.clear();
    if (needs_all_ || !clusters.empty() || request_.targets.empty()) targets_.values = choose_clusters(open_, clusters);
    return std::move(targets_);
  }

 private:
  void add_standard_input() {
    targets_.manifests.push_back({"<stdin>", standard_input().read_all(open_.limits.input_bytes), lint::Asked::Named});
    if (const IoError error = standard_input().error()) report_io_fault(open_.sink, IoTask::Read, "<stdin>", error, {});
  }

  void add(const std::string& target, std::vector<std::string>& clusters) {
    FileStat stat;
    std::string shown = open_.project->workspace().shown_path(target);
    if (shown.ends_with('/')) shown.pop_back();
    if (open_.fs.stat(target, stat)) clusters.push_back(target);
    else if (is_for_all(shown)) needs_all_ = true;
    else if (add_sets(shown)) return;
    else if (stat.type == FileType::Directory) add_folder(target, shown, clusters);
    else add_file(target, shown, clusters);
  }

  // A layer, or the configuration.
  bool is_for_all(std::string_view shown) const {
    const auto& layers = open_.project->config().layers;
    return shown == kConfigName ||
           std::any_of(layers.begin(), layers.end(), [&](const LayerRule& layer) { return layer.file == shown; });
  }

  void add_set(const TemplateSet* set) {
    if (std::find(targets_.sets.begin(), targets_.sets.end(), set) == targets_.sets.end()) targets_.sets.push_back(set);
  }

  // The sets that a folder or file of templates belongs to; what they have in common belongs to all. False when it is
  // of none.
  bool add_sets(std::string_view shown) {
    Project& project = *open_.project;
    const auto has = [&](const std::string& folder) { return !folder.empty() && is_in(shown, folder); };
    if (const TemplateSet* plain = project.plain_set(); plain != nullptr && has(project.options().plain->folder))
      return add_set(plain), true;
    const std::string& folder = project.config().templates;
    if (!has(folder)) return false;
    const std::string_view rest = shown.substr(std::min(folder.size() + 1, shown.size()));
    const std::string_view id = rest.substr(0, rest.find('/'));
    bool found = false;
    for (const std::string_view name : project.names_of_sets()) {
      const KnownSet* known = project.known_set(name);
      if (known == nullptr || known->built_in || known->id != name) continue;
      if (!id.empty() && id != "common" && id != known->id) continue;
      add_set(project.template_set(name));
      found = true;
    }
    return found;
  }

  bool is_among_values(std::string_view shown) const {
    const auto& folders = open_.project->config().values;
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return is_in(shown, folder); });
  }

  bool read(const std::string& path, std::string& text) {
    const IoError error = open_.fs.read(path, text, open_.limits.input_bytes);
    if (error) report_io_fault(open_.sink, IoTask::Read, path, error, {});
    return !error;
  }

  void add_file(const std::string& path, const std::string& shown, std::vector<std::string>& clusters) {
    std::string text;
    if (!read(path, text)) return;
    if (is_among_values(shown) || !has_kind(text)) clusters.push_back(path);
    else targets_.manifests.push_back({shown, std::move(text), lint::Asked::Named});
  }

  // Without a configuration nobody has said what a folder `values` further down is: Helm's users have such, too.
  void add_folder(const std::string& folder, std::string shown, std::vector<std::string>& clusters) {
    const bool is_repository = open_.project->config().file != FileId::None || is_among_values(shown);
    if (shown == ".") shown.clear();
    add_below(folder, shown, is_repository, clusters, 0);
  }

  void add_below(const std::string& folder, const std::string& shown, bool is_repository,
                 std::vector<std::string>& clusters, int depth) {
    std::vector<DirEntry> entries;
    if (depth > kDeepestFolder) return;
    const IoError error = open_.fs.list(folder, entries);
    if (error) report_io_fault(open_.sink, IoTask::Read, folder, error, {});
    std::sort(entries.begin(), entries.end(), [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      const std::string path = below(folder, entry.name);
      std::string known = below(shown, entry.name), text;
      if (entry.type == FileType::Directory) add_below(path, known, is_repository, clusters, depth + 1);
      else if (!has_manifest_name(entry.name) || (is_repository && add_source(path, known, clusters))) continue;
      else if (read(path, text)) targets_.manifests.push_back({std::move(known), std::move(text)});
    }
  }

  // Of a folder that is the repository's, or a part of it: what clusters are rendered from.
  bool add_source(const std::string& path, std::string_view shown, std::vector<std::string>& clusters) {
    if (is_for_all(shown)) return needs_all_ = true;
    if (is_among_values(shown)) return clusters.push_back(path), true;
    return add_sets(shown);
  }

  OpenProject& open_;
  const TargetRequest& request_;
  LintTargets targets_;
  bool needs_all_ = false;  // something is named that all clusters have
};

}  // namespace

LintTargets find_lint_targets(OpenProject& open, const TargetRequest& request) {
  return TargetFinder(open, request).find();
}

std::optional<std::string> edited_file(const TargetRequest& request) {
  const bool reads_input = std::find(request.targets.begin(), request.targets.end(), "-") != request.targets.end();
  return reads_input ? request.stdin_filename : std::nullopt;
}

std::unique_ptr<CompiledCluster> cluster_without_values(const TemplateSet& set) {
  auto cluster = std::make_unique<CompiledCluster>();
  cluster->set = &set;
  cluster->sources.attach(set.sources);
  cluster->secrets_known = true;
  return cluster;
}

}  // namespace capwright::cli
