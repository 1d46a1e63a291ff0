// Looks up everything that caches its result while it reads the folder, because several threads use the objects later.
#include "lint/facts/argocd_folder.h"

#include <algorithm>
#include <fmt/format.h>

#include "files/path_rules.h"
#include "lint/facts/cluster_applications.h"
#include "lint/facts/git_patterns.h"
#include "pipeline/repository_bounds.h"

namespace capwright::lint {
namespace {

bool has_line_of(std::string_view text, std::string_view line) {
  return text.starts_with(line) || text.find("\n" + std::string(line)) != std::string_view::npos;
}

std::string_view without_marks(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  while (path.starts_with("./")) path.remove_prefix(2);
  return path == "." ? std::string_view() : path;
}

// Whether `git.directories` of a generator has the folder.
bool generates(const Object& set, std::string_view folder) {
  for (const Node git : git_generators(set)) {
    bool is_found = false, is_excluded = false;
    for (const Node directory : git["directories"].items()) {
      if (!matches_folder(directory["path"].text(), folder).value_or(false)) continue;
      (directory["exclude"].is_true() ? is_excluded : is_found) = true;
    }
    if (is_found && !is_excluded) return true;
  }
  return false;
}

}  // namespace

bool applies(const Object& object, const ChartSource& source, std::string_view folder) {
  if (!source.chart.empty() || !source.ref.empty()) return false;
  if (object.kind() == "ApplicationSet" && is_generated(source.path)) return generates(object, folder);
  const std::string_view path = without_marks(source.path);
  if (path == folder) return true;
  return source.node["directory.recurse"].is_true() && (path.empty() || is_in(folder, path));
}

std::vector<std::string> find_argocd_files(FileSystem& fs, const Workspace& workspace) {
  const std::string root = workspace.io_path("");
  std::vector<DirEntry> entries;
  const auto is_it = [](const DirEntry& entry) {
    return entry.name == kArgoCdFolder && entry.type == FileType::Directory;
  };
  if (fs.list(root.empty() ? "." : root, entries) || std::none_of(entries.begin(), entries.end(), is_it)) return {};
  entries.clear();
  if (fs.list(workspace.io_path(kArgoCdFolder), entries)) return {};
  std::vector<std::string> files;
  for (const DirEntry& entry : entries) {
    const bool is_data = entry.type == FileType::Regular && !entry.name.starts_with('.') && has_data_name(entry.name);
    if (is_data) files.push_back(fmt::format("{}/{}", kArgoCdFolder, entry.name));
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_for_argocd(std::string_view text) {
  return has_line_of(text, "apiVersion: argoproj.io/") &&
         (has_line_of(text, "kind: Application") || has_line_of(text, "kind: AppProject"));
}

const ArgoCdFolder::Contents& ArgoCdFolder::contents() const {
  std::call_once(reading_, [&] {
    contents_.context.limits = project_.options().limits;
    contents_.cluster = std::make_unique<Cluster>(std::string(kArgoCdFolder), contents_.context);
    for (std::string& file : find_argocd_files(project_.fs(), project_.workspace())) {
      std::string text;
      // A run that lints the folder reports files that can't be read.
      if (project_.fs().read(project_.workspace().io_path(file), text, contents_.context.limits.input_bytes)) continue;
      if (is_for_argocd(text)) contents_.cluster->add_manifest(std::move(file), std::move(text));
    }
    for (const Object* object : contents_.cluster->objects()) {
      if (object->group() != "argoproj.io") continue;
      if (object->kind() == "AppProject") contents_.projects.push_back(object);
      for (const ChartSource& source : sources_of(*object)) contents_.appliers.push_back({object, &source});
    }
  });
  return contents_;
}

const Object* ArgoCdFolder::project(std::string_view name) const {
  const auto& all = contents().projects;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Object* each) { return each->name() == name; });
  return found == all.end() ? nullptr : *found;
}

std::vector<ArgoCdFolder::Applier> ArgoCdFolder::appliers_of(std::string_view folder) const {
  std::vector<Applier> found;
  for (const Applier& applier : contents().appliers) {
    if (applies(*applier.object, *applier.source, folder)) found.push_back(applier);
  }
  return found;
}

}  // namespace capwright::lint
