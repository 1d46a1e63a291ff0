// Finds a cluster as the plugin of Argo CD does (cli/cmp.cc): by its name, or by a path.
#include "lint/model/repository_clusters.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "lint/model/schema_walk.h"
#include "pipeline/layers.h"
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
  const std::string path =
      (std::filesystem::path("/") / std::string(folder) / std::string(target)).lexically_normal().string();
  return std::any_of(values_files().begin(), values_files().end(), [&](const std::string& file) {
    return cluster_stem(file) == target || "/" + root_ + file == path;
  });
}

bool RepositoryClusters::may_be_at(std::string_view url) const {
  const std::string& own = project_.config().argocd.repo_url;
  return own.empty() || normal_git_url(own) == normal_git_url(url);
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
