// Opens the sides of a comparison; renders nothing until the pairs are loaded.
#include "workflow/comparison.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

#include "diag/catalog/git.h"
#include "diag/catalog/layers.h"
#include "files/output_tree.h"
#include "files/path_rules.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/removals.h"
#include "pipeline/repository_bounds.h"
#include "workflow/import_objects.h"
#include "workflow/loose_folders.h"

namespace capwright::workflow {
namespace {

bool is_folder(FileSystem& fs, const std::string& path) {
  FileStat stat;
  return !fs.stat(path, stat) && stat.type == FileType::Directory;
}

// A values file that is new, and claims the cluster of another one.
struct Rival {
  std::string path;
  NamedCluster other;
};

// Takes them from `now`. The names of all clusters are read only if there is a new file.
std::vector<Rival> take_rivals(const std::vector<std::string>& added, std::vector<std::string>& now, Project& project) {
  std::vector<Rival> rivals;
  if (added.empty()) return rivals;
  std::map<std::string, const NamedCluster*> known;  // by folded name: a file system may ignore case
  const std::vector<NamedCluster>& clusters = named_clusters(project);
  const auto is_added = [&](const NamedCluster& cluster) {
    return std::ranges::binary_search(added, cluster.values_path);
  };
  for (const NamedCluster& cluster : clusters) {
    if (!is_added(cluster)) known.emplace(folded_path(cluster.name), &cluster);
  }
  for (const NamedCluster& cluster : clusters) {
    if (cluster.name.empty() || !is_added(cluster)) continue;
    const auto [other, is_new] = known.emplace(folded_path(cluster.name), &cluster);
    if (!is_new && std::erase(now, cluster.values_path) != 0) rivals.push_back({cluster.values_path, *other->second});
  }
  return rivals;
}

// The other file makes the cluster, so these make none.
class RivalPairs final : public diff::PairSource {
 public:
  RivalPairs(std::unique_ptr<diff::PairSource> rendered, std::vector<Rival> rivals, Project& project)
      : rendered_(std::move(rendered)), rivals_(std::move(rivals)), project_(project) {}
  std::size_t size() const override { return rendered_->size() + rivals_.size(); }
  diff::LoadedPair load(std::size_t number) override {
    if (number < rendered_->size()) return rendered_->load(number);
    const auto& [path, other] = rivals_[number - rendered_->size()];
    diff::LoadedPair pair;
    auto cluster = load_cluster(path, project_);
    const bool is_second = other.values_path < path;  // as a render reports it
    const Value* name = is_second ? cluster->values.find("cluster_name") : nullptr;
    cluster->sink
        .report(diag::duplicate_cluster, name != nullptr ? cluster->origins[name->origin()].span : Span(),
                is_second ? cluster->name : other.name, is_second ? other.values_path : path,
                is_second ? path : other.values_path)
        .advise("give one of them another `cluster_name`");
    pair.failed.push_back({std::move(cluster), false});
    return pair;
  }

 private:
  std::unique_ptr<diff::PairSource> rendered_;
  std::vector<Rival> rivals_;
  Project& project_;
};

// A folder may be a dump of a running cluster.
Value as_written(const Value& object, Arena& arena) {
  std::size_t dropped = 0;
  return without_server_fields(object, dropped, arena);
}

bool is_rival(const diff::FailedSide& side) {
  return std::ranges::any_of(std::as_const(side.cluster->sink).diagnostics(),
                             [](const Diagnostic& each) { return each.info == &diag::duplicate_cluster.info; });
}

}  // namespace

bool ComparisonRequest::compares_with_revision() const {
  std::error_code failed;
  return base && !std::filesystem::is_directory(*base, failed);
}

std::unique_ptr<OpenProject> open_for(const RepositoryOptions& repository, const ComparisonRequest& request) {
  return open_project({.repository = repository,
                       .values = request.values,
                       .plain = request.plain,
                       .writes = false,
                       .output = std::nullopt,
                       .upgrade_set = request.upgrade_set,
                       // Two renders are encrypted separately, and would differ everywhere.
                       .encrypts = !request.base});
}

bool Comparison::prepare(diff::Traces traces) {
  traces_ = traces;
  const bool are_folders = request_.targets.size() == 2 && is_folder(open_.fs, request_.targets[0]) &&
                           is_folder(open_.fs, request_.targets[1]);
  if (!are_folders && open_.project == nullptr) return false;
  load_kinds();
  if (are_folders && request_.base) {
    refusal_ = "`--base` and two folders exclude each other";
    return false;
  }
  if (are_folders) return open_folders();
  return request_.base ? open_base() : open_tree();
}

void Comparison::load_kinds() {
  if (open_.project == nullptr) return;
  Stage stage{open_.sources, open_.sink, open_.arena, open_.origins, open_.limits};
  schemas_ = load_schemas(open_.fs, open_.project->workspace(), open_.project->config(), stage);
}

bool Comparison::open_folders() {
  before_name_ = request_.targets[0];
  after_name_ = request_.targets[1];
  auto old_clusters = diff::find_clusters(open_.fs, before_name_, open_.sink);
  auto new_clusters = diff::find_clusters(open_.fs, after_name_, open_.sink);
  if (open_.sink.failed()) return false;
  auto pairs = std::make_unique<diff::FolderPairs>(open_.fs, std::move(old_clusters), open_.fs, std::move(new_clusters),
                                                   open_.limits);
  pairs->edit_objects(as_written);
  pairs_ = std::move(pairs);
  return true;
}

bool Comparison::open_tree() {
  before_name_ = "the tree";
  after_name_ = "the render";
  const std::vector<ManifestSource>& sources = open_.project->config().sources;
  std::vector<std::string> clusters = choose_rendered();
  const bool has_only_sources = clusters.empty() && !sources.empty() && !open_.sink.failed();
  if (has_only_sources) {
    refusal_ = "sources of capwright.yaml have no render to compare with; use `--base REV` or `--base DIR`";
    return false;
  }
  if (!open_output(request_.output)) return false;
  pairs_ = std::make_unique<diff::TreePairs>(std::move(clusters), *open_.project, *tree_, traces_);
  return true;
}

// Opens the tree that the other side is compared with, or continues.
bool Comparison::open_output(const std::optional<std::string>& given) {
  const std::string output = open_.output_folder(given);
  const std::string& configured = open_.project->config().output;
  std::string shown;
  if (given) shown = output + "/";
  else if (configured != ".") shown = configured + "/";
  tree_ = std::make_unique<OutputTree>(open_.fs, output, shown);
  std::string no_history;
  if (!request_.plain) history_ = GitHistory::open(open_.files, output, no_history);
  tree_->use_history(history_.get());
  tree_->allow(open_.project->outputs());
  by_plugin_.emplace(*open_.project, folder_in_git(open_.files, output));
  return !open_.sink.failed() && tree_->open(OutputTree::Access::Read, open_.sink);
}

bool Comparison::open_base() {
  before_name_ = request_.merge_base ? "the merge base of " + *request_.base : *request_.base;
  after_name_ = "the render";
  const std::vector<std::string> clusters = choose_rendered();
  if (!open_output(std::nullopt)) return false;
  Workspace workspace;
  FileSystem* files = find_base(workspace);
  if (files == nullptr) return false;
  // Before its first cluster or its first sources, a repository may have no configuration and no values. A folder
  // without them is more likely a wrong one.
  const bool may_be_empty = base_commit_ || !open_.project->config().sources.empty();
  base_ = workflow::open_base(*files, workspace, *open_.project,
                              may_be_empty ? ValuesFolders::Optional : ValuesFolders::Required);
  if (!has_whole_base()) return false;
  if (base_->project == nullptr) {
    refusal_ = fmt::format(
        "`{}` can't be the base, because of the errors in its {} or the folders that it names\nhelp: name another base "
        "with `--base`, such as the commit that fixed them",
        before_name_, kConfigName);
    return false;
  }
  by_plugin_before_.emplace(*base_->project, folder_in_git(open_.files, open_.output_folder(std::nullopt)));
  if (lacks_given_templates()) return false;
  std::vector<std::string> before = base_->clusters;
  if (!request_.targets.empty()) {  // only the requested clusters
    std::erase_if(before, [&](const std::string& path) {
      return std::find(clusters.begin(), clusters.end(), path) == clusters.end();
    });
  }
  return add_sources(std::move(before), clusters);
}

// `--template-dir` replaces the templates of both sides.
bool Comparison::lacks_given_templates() {
  const auto& plain = base_->project->plain_folder();
  const bool is_given = request_.plain && !request_.plain->folder.empty() && plain;
  if (!is_given || is_folder(base_->project->fs(), base_->project->workspace().io_path(plain->folder))) return false;
  refusal_ = fmt::format(
      "`--template-dir {}` applies to both sides, and `{}` doesn't have it\nhelp: set `template: {{dir: {}, main: "
      "FILE}}` "
      "in capwright.yaml instead of the options: each side is rendered by its own capwright.yaml",
      request_.plain->folder, before_name_, plain->folder);
  return true;
}

// The values files of the targets that aren't sources.
std::vector<std::string> Comparison::choose_rendered() {
  const std::vector<ManifestSource>& sources = open_.project->config().sources;
  std::vector<std::string> targets = request_.targets;
  std::erase_if(targets, [&](const std::string& target) {
    return std::any_of(sources.begin(), sources.end(), [&](const auto& source) { return source.name == target; });
  });
  return targets.empty() && !request_.targets.empty() ? std::vector<std::string>() : choose_clusters(open_, targets);
}

std::vector<const ManifestSource*> Comparison::wanted_sources(const Config& config) const {
  const std::vector<std::string>& targets = request_.targets;
  std::vector<const ManifestSource*> wanted;
  for (const ManifestSource& source : config.sources) {
    if (targets.empty() || std::find(targets.begin(), targets.end(), source.name) != targets.end())
      wanted.push_back(&source);
  }
  return wanted;
}

// Commands of the base run in a copy of it.
std::optional<std::string> Comparison::export_base() {
  const auto folder = repository_->path_below_root(root_of_project());
  if (!folder || !exported_.write(*repository_, *base_commit_, open_.sink)) return std::nullopt;
  return exported_.folder(*folder);
}

bool Comparison::add_sources(std::vector<std::string> before, std::vector<std::string> now) {
  const Project& project = *open_.project;
  Programs* programs = open_.runs_sources ? &open_.programs : nullptr;
  const std::vector<const ManifestSource*> sources = wanted_sources(base_->project->config());
  FileSystem& base_files = base_->project->fs();
  const Workspace& read_at = base_->project->workspace();
  const bool has_commands = std::any_of(sources.begin(), sources.end(), [](const auto* s) { return s->is_command(); });
  std::optional<std::string> folder = read_at.prefix;
  if (has_commands && programs != nullptr && base_commit_) folder = export_base();
  if (!folder) return false;
  const SourcesSide old{sources, {base_files, read_at, programs, *folder, open_.limits}};
  const SourcesSide current{wanted_sources(project.config()),
                            {open_.fs, project.workspace(), programs, project.workspace().prefix, open_.limits}};
  std::vector<std::string> added;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(added));
  const std::vector<MovedSource> moved = moved_sources(old, current, added, *open_.project);
  std::erase_if(now, [&](const std::string& path) {
    return std::any_of(moved.begin(), moved.end(), [&](const auto& each) { return each.values_path == path; });
  });
  std::vector<Rival> rivals;
  if (request_.targets.empty()) rivals = take_rivals(added, now, *open_.project);
  const diff::RenderedSide earlier{*base_->project, *base_->tree, std::move(before)};
  const diff::RenderedSide after{*open_.project, *tree_, std::move(now)};
  pairs_ = std::make_unique<diff::RenderPairs>(earlier, after, traces_);
  const bool has_sources = !old.sources.empty() || !current.sources.empty();
  // Sources may be in `clusters/`, too.
  if (!has_sources && request_.targets.empty())
    pairs_ = std::make_unique<LooseFolderPairs>(std::move(pairs_), earlier, after);
  if (!rivals.empty()) pairs_ = std::make_unique<RivalPairs>(std::move(pairs_), std::move(rivals), *open_.project);
  if (has_sources)
    pairs_ = std::make_unique<SourcePairs>(std::move(pairs_), SourcesChange{old, current, moved}, after, traces_);
  return true;
}

std::string Comparison::root_of_project() const {
  const std::string& prefix = open_.project->workspace().prefix;
  std::error_code failed;
  return std::filesystem::weakly_canonical(prefix.empty() ? "." : prefix, failed).string();
}

// The file system and location of the repository to compare with: another folder, or a commit of this one. Null after
// reporting an error.
FileSystem* Comparison::find_base(Workspace& workspace) {
  if (is_folder(open_.fs, *request_.base)) {
    workspace.prefix = *request_.base + (request_.base->ends_with('/') ? "" : "/");
    return &open_.fs;
  }
  const std::string root = root_of_project();
  repository_ = git::open_repository(root, open_.sink);
  if (repository_ == nullptr) return nullptr;
  const auto folder = repository_->path_below_root(root);
  const auto commit = request_.merge_base ? repository_->merge_base(*request_.base, open_.sink)
                                          : repository_->commit(*request_.base, open_.sink);
  if (commit && folder) commit_files_ = repository_->files(*commit, *folder, open_.sink);
  base_commit_ = commit;
  if (commit && !request_.merge_base) warn_unless_ancestor(*commit);
  return commit_files_.get();
}

void Comparison::warn_unless_ancestor(const git::ObjectId& base) {
  const auto head = repository_->commit("HEAD", open_.sink);
  if (!head || repository_->is_ancestor(base, *head)) return;
  Diagnostic& warning = open_.sink.report(diag::base_not_ancestor, Span(), *request_.base);
  if (repository_->is_shallow()) {
    warning.note("the clone is shallow, so the commits between them may be missing")
        .advise("run `git fetch --unshallow`, or set `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab)");
  } else {
    warning.advise("add `--merge-base`, to compare with the commit where the branch started");
  }
}

bool Comparison::has_whole_base() {
  if (misses_objects_) return false;
  const auto missing = commit_files_ == nullptr ? std::nullopt : commit_files_->unreadable();
  if (!missing) return true;
  misses_objects_ = true;
  git::report_missing_objects(*repository_, before_name_, *missing, open_.sink);
  return false;
}

void Comparison::add_failed(const diff::FleetResult& result, bool of_before) {
  const bool is_one = result.compared + result.failed_pairs <= 1;
  for (const diff::FailedSide& side : result.failed) {
    if (side.is_before != of_before) continue;
    faults_->add(*side.cluster, is_one ? std::string_view() : std::string_view(side.cluster->values_path));
  }
}

std::optional<diff::LoadedPair> Comparison::left_folder(const std::string& cluster) const {
  const bool is_of_values =
      (by_plugin_ && by_plugin_->has(cluster)) || (by_plugin_before_ && by_plugin_before_->has(cluster));
  if (tree_ == nullptr || is_of_values) return std::nullopt;
  diff::LoadedPair pair;
  pair.after = diff::read_as_it_is({*open_.project, *tree_, {}}, cluster, pair.faults);
  if (pair.after == nullptr) return std::nullopt;
  if (base_ != nullptr) pair.before = diff::read_as_it_is({*base_->project, *base_->tree, {}}, cluster, pair.faults);
  return pair;
}

std::optional<Delivery> Comparison::delivery_of_base() const {
  if (base_ == nullptr || base_->project == nullptr) return {};
  const Config& config = base_->project->config();
  const bool is_empty = config.file == FileId::None && base_->clusters.empty();
  return is_empty ? std::nullopt : std::optional(config.delivery);
}

// Reports duplicate cluster names, and folders without a values file.
void Comparison::survey(const diff::FleetResult& result) {
  std::map<std::string, std::string> paths;  // by the name of their cluster
  bool knows_all = tree_ != nullptr && request_.targets.empty();
  std::set<std::string> rivals;  // reported already
  for (const diff::FailedSide& side : result.failed) {
    if (is_rival(side)) rivals.insert(side.cluster->values_path);
  }
  for (const diff::MadeCluster& made : result.made) {
    if (rivals.contains(made.values_path)) continue;
    knows_all &= !made.name.empty();
    const auto [known, is_new] = paths.emplace(made.name, made.values_path);
    if (!is_new && !made.name.empty() && known->second != made.values_path)
      surveyed_.report(diag::duplicate_cluster, Span(), made.name, known->second, made.values_path)
          .advise("give one of them another `cluster_name`");
  }
  std::set<std::string> names;
  for (const auto& [name, path] : paths) names.insert(name);
  if (knows_all) report_unclaimed(*tree_, names, surveyed_);
  if (knows_all && request_.base) report_loose_removals(*tree_, names, open_.limits, surveyed_);
}

const report::Findings& Comparison::faults(const diff::FleetResult* result) {
  if (faults_) return *faults_;
  faults_.emplace();
  add_project_findings(open_, *faults_);
  if (result != nullptr) {
    for (const Sink& sink : result->faults) faults_->add(sink.diagnostics(), open_.sources, {}, "");
    add_failed(*result, false);
    const FindingsOf none;
    for (const auto& [cluster, kept] : more_ == nullptr ? none : *more_)
      faults_->add(kept->diagnostics(), kept->sources(), kept->redactor(), cluster);
    survey(*result);
    faults_->add(surveyed_.diagnostics(), open_.sources, {}, "");
  }
  faults_->go_to(before_name_);
  if (base_ != nullptr) faults_->add(base_->sink.diagnostics(), base_->sources, {}, "");
  if (base_ != nullptr && base_->project != nullptr) {
    for (const TemplateSet* set : base_->project->sets_with_findings())
      faults_->add(set->sink.diagnostics(), set->sources, {}, "");
  }
  if (result != nullptr) add_failed(*result, true);
  return *faults_;
}

}  // namespace capwright::workflow
