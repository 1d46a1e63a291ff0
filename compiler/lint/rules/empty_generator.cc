// CAP826: git generators of ApplicationSets whose paths match nothing in the repository.
#include <algorithm>
#include <set>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/cluster_applications.h"
#include "lint/facts/git_patterns.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::empty_generator {
namespace {

constexpr std::string_view kClusters = "clusters/", kAddons = "/addons";

// The first parts of a path, as many as the other one has.
std::string_view begin_of(std::string_view path, std::string_view other) {
  std::size_t end = 0;
  for (auto parts = std::ranges::count(other, '/') + 1; parts > 0 && end != std::string_view::npos; --parts)
    end = path.find('/', end == 0 ? 0 : end + 1);
  return path.substr(0, end);
}

std::string_view without_marks(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// The folder of `clusters/` from the top of the Git working tree; outside of one, from the project.
std::string tree_of(const Context& context) {
  if (context.clusters->tree_folder()) return context.tree_in_git;
  const std::string output(without_marks(context.clusters->config().output));
  return output.empty() || output == "." ? "" : output + "/";
}

// `directories` or `files` of a generator.
class Generator {
 public:
  Generator(const Node& items, bool of_folders, const Context& context)
      : of_folders_(of_folders), tree_(tree_of(context)), clusters_(*context.clusters) {
    for (const Node item : items.items()) {
      const Node path = item["path"];
      (item["exclude"].is_true() ? excluded_ : wanted_).push_back(path);
      const bool is_evaluated = !of_folders || matches_folder(path.text(), "").has_value();
      if (path.text().empty() || is_generated(path.text()) || !is_evaluated) is_known_ = false;
    }
  }

  void check(Report& report) {
    if (!is_known_ || wanted_.empty() || !find_paths()) return;
    const bool is_empty = std::ranges::none_of(wanted_, [&](const Node& path) { return has(path.text()); });
    bool is_reported = false;
    for (const Node& path : wanted_) {
      if (!is_plain_path(path.text()) || has(path.text())) continue;
      is_reported = true;
      describe(report.at(path, "this repository has no {} `{}`", of_folders_ ? "folder" : "file", path.text()), path)
          .note("the ApplicationSet generates no Application for it");
    }
    if (!is_empty || is_reported) return;
    Finding& finding = wanted_.size() == 1
                           ? report.at(wanted_[0], "no {} of this repository matches `{}`", noun(), wanted_[0].text())
                           : report.at(wanted_[0], "no {} of this repository matches `{}` or the {} patterns after it",
                                       noun(), wanted_[0].text(), wanted_.size() - 1);
    describe(finding, wanted_[0])
        .note("the ApplicationSet generates no Applications, and Argo CD deletes those that it generated before");
  }

 private:
  std::string_view noun() const { return of_folders_ ? "folder" : "file"; }

  bool matches(std::string_view pattern, std::string_view path) const {
    return of_folders_ ? matches_folder(pattern, path).value_or(true) : may_match_file(pattern, path);
  }
  bool is_excluded(std::string_view path) const {
    return std::ranges::any_of(excluded_, [&](const Node& each) {
      return of_folders_ ? matches(each.text(), path) : is_plain_path(each.text()) && each.text() == path;
    });
  }
  bool has(std::string_view pattern) const {
    return std::ranges::any_of(paths_,
                               [&](const std::string& path) { return matches(pattern, path) && !is_excluded(path); });
  }

  // Whether an entry may match something in the folder.
  bool leads_on(std::string_view folder) const {
    return std::ranges::any_of(wanted_, [&](const Node& each) {
      const std::string_view pattern = without_marks(each.text());
      if (of_folders_) {
        const bool is_deeper = std::ranges::count(pattern, '/') > std::ranges::count(folder, '/');
        return is_deeper && matches(begin_of(pattern, folder), folder);
      }
      const std::string_view plain = pattern.substr(0, pattern.find_first_of("*?[{\\"));
      const std::size_t size = std::min(plain.size(), folder.size());
      return plain.substr(0, size) == folder.substr(0, size);
    });
  }

  // Those that exist, and those that renders make. False: unknown.
  bool find_paths() {
    const std::vector<std::string>& files = clusters_.values_files();
    for (const std::string& file : files) add_cluster(std::string(cluster_stem(file)));
    for (const Node& path : wanted_) {  // a cluster may have another name than its file
      const std::string folder = tree_ + std::string(kClusters);
      std::string_view name = without_marks(path.text());
      if (!is_plain_path(name) || !name.starts_with(folder)) continue;
      name.remove_prefix(folder.size());
      name = name.substr(0, name.find('/'));
      if (clusters_.has(name, "")) add_cluster(std::string(name));
    }
    if (files.empty()) {  // a repository that has no clusters yet
      add_cluster("new");
      for (const std::string& place : clusters_.config().values)
        if (!of_folders_) paths_.insert(clusters_.in_git(std::string(without_marks(place)) + "/new.yaml"));
    }
    return clusters_.visit_git([&](const std::string& path, bool is_folder) {
      const bool is_hidden = of_folders_ && path[path.rfind('/') + 1] == '.';  // Argo CD doesn't read these
      if (is_hidden) return false;
      if (is_folder && of_folders_ && is_below_clusters(path)) add_folder(path);
      else if (is_folder == of_folders_) paths_.insert(path);
      return is_folder && leads_on(path);
    });
  }

  void add_cluster(const std::string& name) {
    if (!of_folders_) return;
    const std::string folder = tree_ + std::string(kClusters) + name;
    add_folder(folder);
    add_folder(folder + std::string(kAddons));
  }
  // Argo CD sees what is committed.
  void add_folder(const std::string& folder) { (clusters_.ignores(folder) ? ignored_ : paths_).insert(folder); }

  // Patterns and paths that an entry may have been meant to be.
  std::vector<std::string> candidates(bool is_plain) const {
    if (is_plain) return {paths_.begin(), paths_.end()};
    if (of_folders_) return {tree_ + "clusters/*"};
    std::vector<std::string> patterns;
    for (const std::string& place : clusters_.config().values) {
      for (const char* ending : {"/*.yaml", "/**/*.yaml"})
        patterns.push_back(clusters_.in_git(std::string(without_marks(place)) + ending));
    }
    return patterns;
  }

  Finding& describe(Finding& finding, const Node& place) const {
    const std::string_view text = place.text();
    const std::string cleaned(without_marks(text));
    if (cleaned != text && has(cleaned)) {
      return finding.note("Argo CD compares it with paths such as `{}`", tree_ + "clusters/a")
          .help("write `{}`", cleaned)
          .fix(place, cleaned, Safety::Unsafe, "write the path as Argo CD does");
    }
    const auto lost = std::ranges::find_if(ignored_, [&](const std::string& path) { return matches(text, path); });
    if (lost != ignored_.end())
      return finding.note("Git ignores the files in `{}`, so no commit has them", *lost)
          .help("remove what ignores them from `.gitignore`, and `git add` them");
    const bool is_left_out = std::ranges::any_of(paths_, [&](const std::string& path) { return matches(text, path); });
    if (is_left_out) return finding.help("remove the items with `exclude` that match the same");
    const std::string root = clusters_.in_git("");
    if (!root.empty() && has(root + cleaned)) {
      return finding.note("paths begin at the top of the Git repository")
          .help("write `{}{}`", root, cleaned)
          .fix(place, root + cleaned, Safety::Unsafe, "begin at the top of the repository");
    }
    const bool is_plain = is_plain_path(text);
    const std::vector<std::string> others = candidates(is_plain);
    const std::string_view best = nearest(cleaned, std::vector<std::string_view>(others.begin(), others.end()));
    if (!best.empty())
      return finding.help("did you mean `{}`?", best).fix(place, std::string(best), Safety::Unsafe, "use that path");
    if (is_plain) return finding.help("commit it, or remove this item");
    if (of_folders_ && text.find("**") != std::string_view::npos)
      finding.note("in `directories`, `**` is one folder, as `*` is");
    return finding.help("correct the path; that of {} is `{}`", of_folders_ ? "clusters" : "their values files",
                        others.empty() ? "" : others.front());
  }

  const bool of_folders_;
  const std::string tree_;
  const RepositoryClusters& clusters_;
  bool is_known_ = true;
  std::vector<Node> wanted_, excluded_;
  std::set<std::string> paths_, ignored_;
};

// Whether the generator reads the repository that is linted. If no setting names it, ApplicationSets for clusters do.
bool reads_own(const Object& set, const Node& git, const RepositoryClusters& clusters) {
  const std::string_view url = git["repoURL"].text();
  if (url.empty() || is_generated(url)) return false;
  if (!clusters.config().argocd.repo_url.empty()) return clusters.may_be_at(url);
  const std::string own = clusters.argocd_value("repo_url").text;
  return own.empty() ? generates_clusters(set) : normal_git_url(own) == normal_git_url(url);
}

void check(const Object& set, Report& report) {
  const Context& context = set.cluster().context();
  if (context.clusters == nullptr || set.group() != "argoproj.io") return;
  for (const Node git : git_generators(set)) {
    const Node folders = git["directories"];
    const bool of_folders = folders.size() != 0;  // Argo CD then ignores `files`
    if (reads_own(set, git, *context.clusters))
      Generator(of_folders ? folders : git["files"], of_folders, context).check(report);
  }
}

}  // namespace

CW_LINT_RULE(empty_generator){
    .code = "CAP826",
    .name = "empty-generator",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "ApplicationSet",
    .docs = R"md(
## What it does

Reports git generators of an ApplicationSet whose `directories` or `files` match nothing in this repository.

## Why is this bad?

The ApplicationSet generates no Applications for them. If it generated some before, Argo CD deletes those.

| pattern | matches |
|---|---|
| `directories` | folders by their paths from the top of the Git repository, without `./` and `/` around them; `*` and `**` are one folder, or a part of its name |
| `files` | files; `*` and `**` may match `/`, too, by Argo CD's settings |

The rule reads the working tree, except for folders in `clusters/` whose files Git ignores, and knows the folders of clusters that aren't
rendered yet. It reports a path without special characters
if nothing is there, and patterns if all of a generator match nothing. Patterns with `[`, `{` or parameters aren't evaluated. A generator
of another repository than `argocd.repo_url` of `capwright.yaml`, or of the values, is left out.

## Example

```yaml file=capwright.yaml
argocd: {repo_url: "https://git.example.com/fleet.git"}
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators:
    - git:
        repoURL: https://git.example.com/fleet.git
        directories:
          - path: cluster/*   # warning: [empty-generator] "no folder of this repository matches `cluster/*`"
  template: {spec: {source: {path: "{{ .path.path }}"}}}
```

## Use instead

```yaml file=capwright.yaml
argocd: {repo_url: "https://git.example.com/fleet.git"}
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators:
    - git:
        repoURL: https://git.example.com/fleet.git
        directories: [{path: clusters/*}]
  template: {spec: {source: {path: "{{ .path.path }}"}}}
```

## Fix

Unsafe: replaces the path by a similar one that matches.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::empty_generator
