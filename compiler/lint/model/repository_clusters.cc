// Finds a cluster as the plugin of Argo CD does (cli/cmp.cc): by its name, or by a path.
#include "lint/model/repository_clusters.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "lint/model/schema_walk.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/layers.h"
#include "pipeline/repository_bounds.h"
#include "text/trim.h"

namespace capwright::lint {
namespace {

// Adds the keys at the top, with those that may be given instead. Returns false if there may be others.
bool add_keys(const TemplateSet* set, std::set<std::string>& keys) {
  if (set == nullptr || set->schema == nullptr) return false;
  bool is_closed = true;
  walk_schema(*set->schema, [&](const Declared& place) {
    if (place.path.empty()) return true;
    const auto refuses = [](const schema::Node* node) { return node->form == schema::Node::Form::Refuses; };
    if (place.property == nullptr) is_closed = std::all_of(place.nodes.begin(), place.nodes.end(), refuses);
    else keys.emplace(place.property->name.text());
    for (const schema::Node* node : place.nodes) {
      if (node->notes == nullptr) continue;
      for (const Value& other : node->notes->normalized_from) keys.emplace(other.text());
    }
    return false;
  });
  return is_closed;
}

// The number of the file or assignment that is the source.
std::optional<std::pair<std::size_t, bool>> place_in(const ExtraValues& extra, std::string_view path,
                                                     std::string_view text) {
  for (std::size_t i = 0; i < extra.files.size(); ++i) {
    if (extra.files[i] == path) return std::pair(i, true);
  }
  for (std::size_t i = 0; path == "--set" && i < extra.sets.size(); ++i) {
    if (extra.sets[i].assignment == text) return std::pair(i, false);
  }
  return std::nullopt;
}

// Without the text of a message that may repeat a secret.
std::vector<RepositoryClusters::Fault> faults_of(const Project& like, const std::string& values_file,
                                                 const ExtraValues& extra) {
  ProjectOptions options = like.options();
  options.extra = extra;
  Project project(like.fs(), like.workspace(), like.config(), std::move(options));
  const auto cluster = load_cluster(values_file, project);
  const auto& secrets = cluster->secrets.places;
  std::vector<RepositoryClusters::Fault> faults;
  for (const Diagnostic& each : cluster->sink.diagnostics()) {
    if (each.severity != Severity::Error || !each.where.known()) continue;
    const FileId file = each.where.file;
    const auto place = place_in(extra, cluster->sources.path(file), cluster->sources.text(file));
    if (!place) continue;
    const bool is_secret =
        std::any_of(secrets.begin(), secrets.end(), [&](const Span& span) { return span.file == file; });
    RepositoryClusters::Fault fault{place->first, place->second, {}, {}, each.info->code};
    fault.message = is_secret ? "the value is invalid" : each.message;
    if (each.help && !is_secret) fault.help = *each.help;
    faults.push_back(std::move(fault));
  }
  return faults;
}

// Whether all clusters have the values of the file, as far as they don't override them.
bool is_shared(const Config& config, std::string_view file) {
  return std::any_of(config.layers.begin(), config.layers.end(), [&](const LayerRule& layer) {
    return layer.file == file && layer.provider.empty() && layer.path_glob.empty();
  });
}

const Value* value_at(const Value& values, std::string_view path) {
  const Value* value = &values;
  while (value != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    value = value->is(Kind::Map) ? value->find(path.substr(0, dot)) : nullptr;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

}  // namespace

// Argo CD: util/git NormalizeGitURL.
std::string normal_git_url(std::string_view url) {
  std::string normal(trimmed(url));
  std::transform(normal.begin(), normal.end(), normal.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  while (normal.ends_with('/')) normal.pop_back();
  if (normal.ends_with(".git")) normal.resize(normal.size() - 4);
  const std::size_t at = normal.find('@'), colon = normal.find(':');
  const bool is_short = normal.find("://") == std::string::npos && at != std::string::npos && colon > at;
  if (is_short && colon != std::string::npos) normal[colon] = '/';
  if (normal.starts_with("ssh://")) normal.erase(0, std::string_view("ssh://").size());
  return normal;
}

const std::vector<std::string>& RepositoryClusters::values_files() const {
  std::call_once(listing_, [&] {
    Sink ignored;  // a render reports unreadable folders
    values_files_ = find_values_files(project_.fs(), project_.workspace(), project_.config(), ignored);
  });
  return values_files_;
}

bool RepositoryClusters::has(std::string_view target, std::string_view folder) const {
  return !values_file(target, folder).empty();
}

std::string RepositoryClusters::values_file(std::string_view target, std::string_view folder) const {
  const std::string path = project_path(target, folder);
  if (std::find(values_files().begin(), values_files().end(), path) != values_files().end()) return path;
  const std::vector<std::string> named = values_files_named(target, values_files(), project_);
  return named.empty() ? std::string() : named.front();
}

std::string RepositoryClusters::project_path(std::string_view file, std::string_view folder) const {
  const std::filesystem::path typed(file);
  std::string path = (std::filesystem::path(folder) / typed).lexically_normal().string();
  while (path.starts_with("./")) path.erase(0, 2);
  const bool is_here = !typed.is_absolute() && path.size() > root_.size() && path.starts_with(root_);
  if (!is_here || path.starts_with('/') || path.starts_with("..")) return {};
  return path.substr(root_.size());
}

bool RepositoryClusters::exists(const std::string& path) const {
  FileStat stat;
  return !project_.fs().stat(project_.workspace().io_path(path), stat) && stat.type != FileType::Directory;
}

std::filesystem::path RepositoryClusters::top() const {
  std::filesystem::path top = project_.workspace().io_path("");
  for (const char c : root_) {
    if (c == '/') top /= "..";
  }
  return top;
}

bool RepositoryClusters::has_folder(std::string_view path) const {
  FileStat stat;
  return !project_.fs().stat((top() / path).string(), stat) && stat.type == FileType::Directory;
}

// A folder that is only partly ignored has committed files, so any file of it tells, and a plain name if it has none.
bool RepositoryClusters::ignores(const std::string& folder) const {
  if (!is_ignored_) return false;
  std::vector<DirEntry> entries;
  std::string path = folder + "/cluster.yaml";
  if (project_.fs().list((top() / folder).string(), entries)) return is_ignored_(path);
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Regular) continue;
    path = folder + "/" + entry.name;
    if (!is_ignored_(path)) return false;
  }
  return is_ignored_(path);
}

bool RepositoryClusters::visit_git(const std::function<bool(const std::string& path, bool is_folder)>& enter) const {
  constexpr std::size_t kMostEntries = 200'000;  // about a second
  const std::filesystem::path top = this->top();
  std::size_t count = 0;
  for (std::vector<std::string> folders{""}; !folders.empty();) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    std::vector<DirEntry> entries;
    const std::string shown = (top / folder).string();
    count += 1;
    if (project_.fs().list(shown.empty() ? "." : shown, entries) || (count += entries.size()) > kMostEntries)
      return false;
    for (const DirEntry& entry : entries) {
      const std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      const bool is_folder = entry.type == FileType::Directory;
      if (entry.name == ".git" || (!is_folder && entry.type != FileType::Regular)) continue;
      if (enter(path, is_folder) && is_folder) folders.push_back(path);
    }
  }
  return true;
}

std::set<std::string> RepositoryClusters::folders() const {
  constexpr std::string_view kFolder = "clusters";
  const std::string& config = project_.config().output;
  const std::string output = project_.workspace().io_path(config == "." ? "" : config);
  std::vector<DirEntry> entries, clusters;
  std::set<std::string> names;
  const auto is_folder = [](const DirEntry& entry) { return entry.type == FileType::Directory; };
  if (project_.fs().list(output.empty() ? "." : output, entries)) return names;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const DirEntry& e) { return e.name == kFolder; });
  if (found == entries.end() || !is_folder(*found)) return names;
  if (project_.fs().list((std::filesystem::path(output) / kFolder).string(), clusters)) return names;
  for (const DirEntry& entry : clusters)
    if (is_folder(entry)) names.insert(entry.name);
  return names;
}

const std::vector<RepositoryClusters::Fault>& RepositoryClusters::faults(const std::string& values_file,
                                                                         const ExtraValues& extra) const {
  std::string key = values_file + '\0';
  for (const std::string& file : extra.files) key += file + '\0';
  key += '\0';
  for (const ExtraValues::Set& set : extra.sets) key += set.assignment + '\0';
  const std::lock_guard lock(checking_);
  const auto [found, is_new] = faults_.try_emplace(std::move(key));
  if (is_new) found->second = faults_of(project_, values_file, extra);
  return found->second;
}

RepositoryClusters::SharedValue RepositoryClusters::argocd_value(std::string_view path) const {
  constexpr std::array kPaths{"repo_url", "revision", "namespace", "management.destination"};
  std::call_once(sharing_, [&] {
    if (values_files().empty() || project_.plain_set() != nullptr) return;
    const std::string& first = values_files().front();
    const auto cluster = load_cluster(first, project_);
    const Value& values = cluster->values.is(Kind::Map) ? cluster->values : cluster->unchecked;
    for (const char* each : kPaths) {
      const Value* value = value_at(values, std::string("argocd.") + each);
      if (value == nullptr || !value->is(Kind::String)) continue;
      const Span where = cluster->origins[value->origin()].span;
      const std::string file(where.known() ? cluster->sources.path(where.file) : std::string_view());
      if (is_shared(config(), file) || (values_files().size() == 1 && file == first))
        argocd_values_.emplace(each, SharedValue{std::string(value->text()), file});
    }
  });
  const auto found = argocd_values_.find(path);
  return found == argocd_values_.end() ? SharedValue() : found->second;
}

const std::vector<std::string>& RepositoryClusters::inputs(const std::string& values_file) const {
  const std::lock_guard lock(checking_);
  const auto [found, is_new] = inputs_.try_emplace(values_file);
  if (!is_new) return found->second;
  std::set<std::string> paths;
  const auto add = [&](const SourceSet& sources) {
    for (const FileId file : sources.files()) {
      const std::string path(sources.path(file));
      const bool is_here = !path.starts_with('/') && !path.starts_with("../");  // not a file of `--values`
      if (is_here && exists(path)) paths.insert(root_ + path);
    }
  };
  const auto cluster = load_cluster(values_file, project_);
  add(cluster->sources);
  if (cluster->set != nullptr && !cluster->set->built_in) add(cluster->set->sources);
  if (config().file != FileId::None) paths.insert(root_ + std::string(kConfigName));
  found->second.assign(paths.begin(), paths.end());
  return found->second;
}

bool RepositoryClusters::may_be_at(std::string_view url) const {
  const std::string& own = project_.config().argocd.repo_url;
  return own.empty() || normal_git_url(own) == normal_git_url(url);
}

const std::optional<std::string>& RepositoryClusters::tree_folder() const {
  std::call_once(locating_, [&] {
    const auto real = [&](const std::string& path) { return real_path_of(project_.fs(), path.empty() ? "." : path); };
    const std::string output = project_.workspace().io_path(project_.config().output);
    std::string folder = real(output);
    // Before the first render it doesn't exist.
    if (!std::filesystem::path(folder).is_absolute())
      folder = (std::filesystem::path(real(project_.workspace().io_path(""))) / project_.config().output).string();
    folder = normal_path(folder);
    const RepositoryBounds bounds(project_.fs(), folder);
    const std::string& top = bounds.top();
    FileStat stat;
    if (project_.fs().stat((std::filesystem::path(top) / ".git").string(), stat)) return;
    tree_folder_ = folder == top ? "" : folder.substr(top.size() + 1);
  });
  return tree_folder_;
}

const std::vector<std::string>& RepositoryClusters::value_keys() const {
  std::call_once(loading_, [&] {
    std::set<std::string> keys;
    bool is_closed = project_.plain_set() == nullptr;
    for (const std::string_view name : is_closed ? project_.names_of_sets() : std::vector<std::string_view>())
      is_closed = add_keys(project_.template_set(name), keys) && is_closed;
    if (is_closed) value_keys_.assign(keys.begin(), keys.end());
  });
  return value_keys_;
}

}  // namespace capwright::lint
