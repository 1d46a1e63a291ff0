// What lies in the folder of template sets is of a set. Another file is a cluster's values when it lies in a folder of
// values, or is a map that neither has a kind nor begins like an object.
#include "cli/lint_targets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>
#include <unordered_set>

#include "cli/standard_input.h"
#include "files/io_fault.h"

namespace capwright::cli {
namespace {

constexpr int kDeepestFolder = 32;

bool has_manifest_name(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

bool is_template_name(std::string_view name) {
  constexpr std::array kEndings = {".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".gotmpl"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

bool has_line(std::string_view text, std::string_view begins_with) {
  return text.starts_with(begins_with) || text.find("\n" + std::string(begins_with)) != std::string_view::npos;
}

// Whether a line, or a key of JSON, says `kind`.
bool has_kind(std::string_view text) {
  return has_line(text, "kind:") || text.find("\"kind\"") != std::string_view::npos;
}

// The first of a text that is neither a comment nor a mark between documents; empty when there is nothing else.
std::string_view content(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(text.starts_with("---") ? 3 : 0, end);
    const std::size_t first = line.substr(0, line.find('\n')).find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return text;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// Of a file that somebody names: what can't be a cluster's values.
bool is_no_values(std::string_view text) {
  text = content(text);
  const bool is_list = text.starts_with("- ") || text.starts_with("[");
  if (is_list || text.find(':') == std::string_view::npos) return true;
  return (has_line(text, "apiVersion:") || has_line(text, "metadata:")) && !has_line(text, "cluster_name:");
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

  void add_standard_input() {
    targets_.manifests.push_back({"<stdin>", standard_input().read_all(open_.limits.input_bytes), lint::Asked::Named});
    if (const IoError error = standard_input().error()) report_io_fault(open_.sink, IoTask::Read, "<stdin>", error, {});
    else if (content(targets_.manifests.back().text).empty())
      targets_.notes.emplace_back("standard input has no object");
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

  // The path of a file through no link and no `..`, so that it is known again by whatever name it is reached.
  static std::string real_path(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
    return failed ? path : real.string();
  }
  // False for what is there already.
  bool add_real(std::string real_path) { return real_paths_.insert(std::move(real_path)).second; }

  bool read(const std::string& path, std::string& text) {
    const IoError error = open_.fs.read(path, text, open_.limits.input_bytes);
    if (error) report_io_fault(open_.sink, IoTask::Read, path, error, {});
    return !error;
  }

  void add_file(const std::string& path, const std::string& shown, std::vector<std::string>& clusters) {
    std::string text;
    if (!add_real(real_path(path)) || !read(path, text)) return;
    const bool takes_any_values = open_.project->options().plain.has_value();
    if (is_among_values(shown)) {
      clusters.push_back(path);
    } else if (is_template_name(path)) {
      targets_.notes.push_back(
          fmt::format("`{}` is a template, which is not looked at alone: name what it renders", shown));
    } else if (!takes_any_values && content(text).empty()) {
      targets_.notes.push_back(
          fmt::format("`{}` is no manifest, as it has no object, and doesn't lie where values are (`{}`)", shown,
                      fmt::join(open_.project->config().values, "`, `")));
    } else if (has_kind(text) || (!takes_any_values && is_no_values(text))) {
      targets_.manifests.push_back({shown, std::move(text), lint::Asked::Named});
    } else {
      clusters.push_back(path);
    }
  }

  void add_folder(const std::string& folder, const std::string& shown, std::vector<std::string>& clusters) {
    // Without a configuration nobody has said what a folder `values` further down is: Helm's users have such, too.
    folder_is_repository_ = open_.project->config().file != FileId::None || is_among_values(shown);
    folder_has_files_ = false;
    add_below({folder, shown == "." ? "" : shown, real_path(folder)}, clusters, 0);
    if (folder_has_files_) return;
    targets_.notes.push_back(
        fmt::format("`{}` has nothing to look at: no file in it ends in `.yaml`, `.yml` or `.json`", shown));
  }

  // A folder or file: to open it, as it is shown, and through no link.
  struct Paths {
    std::string typed, shown, real;
  };

  void add_below(const Paths& folder, std::vector<std::string>& clusters, int depth) {
    std::vector<DirEntry> entries;
    if (depth > kDeepestFolder) return;
    const IoError error = open_.fs.list(folder.typed, entries);
    if (error) report_io_fault(open_.sink, IoTask::Read, folder.typed, error, {});
    // Links last: what they lead to is known by its own name if it lies here, too.
    std::sort(entries.begin(), entries.end(), [](const DirEntry& a, const DirEntry& b) {
      const bool a_is_link = a.type == FileType::Symlink, b_is_link = b.type == FileType::Symlink;
      return std::tie(a_is_link, a.name) < std::tie(b_is_link, b.name);
    });
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      Paths path{below(folder.typed, entry.name), below(folder.shown, entry.name), below(folder.real, entry.name)};
      if (entry.type == FileType::Directory) add_below(path, clusters, depth + 1);
      if (entry.type == FileType::Directory || !has_manifest_name(entry.name)) continue;
      folder_has_files_ = true;
      if (folder_is_repository_ && add_source(path, clusters)) continue;
      std::string text;
      if (add_real(entry.type == FileType::Regular ? path.real : real_path(path.typed)) && read(path.typed, text))
        targets_.manifests.push_back({std::move(path.shown), std::move(text)});
    }
  }

  // Of a folder that is the repository's, or a part of it: what clusters are rendered from.
  bool add_source(const Paths& path, std::vector<std::string>& clusters) {
    if (is_for_all(path.shown)) return needs_all_ = true;
    if (is_among_values(path.shown)) return clusters.push_back(path.typed), true;
    return add_sets(path.shown);
  }

  OpenProject& open_;
  const TargetRequest& request_;
  LintTargets targets_;
  std::unordered_set<std::string> real_paths_;                    // of what was added
  bool folder_has_files_ = false, folder_is_repository_ = false;  // that was added last
  bool needs_all_ = false;                                        // something is named that all clusters have
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
