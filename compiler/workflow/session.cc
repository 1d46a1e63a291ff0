// The project reads few files, and clusters read their own; so a change costs the clusters that read the file, or all.
#include "workflow/session.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "git/ignored_files.h"
#include "lint/engine/lint.h"
#include "lint/engine/selection.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/parallel.h"
#include "pipeline/repository_bounds.h"
#include "workflow/lint_rules.h"

namespace capwright::workflow {
namespace {

// Opens the repository on first use.
lint::IsIgnored ignored_in(const std::string& folder) {
  struct Opened {
    std::mutex mutex;
    std::optional<git::IgnoredFiles> files;
  };
  return [folder, opened = std::make_shared<Opened>()](const std::string& path) {
    const std::lock_guard lock(opened->mutex);
    if (!opened->files) opened->files.emplace(folder.empty() ? "." : folder);
    return opened->files->has_in_tree(path);
  };
}

}  // namespace

Session::Session(OpenRequest request) : request_(std::move(request)) {
  if (request_.edits != nullptr) edits_ = *request_.edits;
  request_.edits = &edits_;
  setup_ = std::make_shared<lint::Setup>(webhooks_);
}

OpenProject& Session::open() {
  if (open_ == nullptr) {
    open_ = open_project(request_);
    if (open_->project != nullptr) setup_->is_ignored = ignored_in(open_->project->workspace().prefix);
  }
  return *open_;
}

void Session::close() {
  known_.clear();
  tree_.reset();
  open_.reset();
  setup_ = std::make_shared<lint::Setup>(webhooks_);
  has_rules_ = false;
}

std::optional<Stop> Session::load_rules(const LintRequest& request) {
  if (open().project == nullptr) return Stop();
  if (has_rules_) return std::nullopt;
  setup_->own_rules = load_own_rules(*open_);
  if (open_->sink.failed()) return Stop();
  setup_->selection = selection_of(request, open_->project->config(), setup_->own_rules);
  std::vector<std::string> faults = faulty_selectors(setup_->selection, *open_);
  if (!faults.empty()) return Stop{std::move(faults), false};
  has_rules_ = true;
  return std::nullopt;
}

void Session::load_schemas() {
  if (setup_->schemas.registry != nullptr) return;
  Stage stage{open_->sources, open_->sink, open_->arena, open_->origins, open_->limits};
  setup_->read_schemas(*open_->project, stage);
}

OutputTree* Session::tree() {
  if (tree_) return &*tree_;
  const std::string& output = open_->project->config().output;
  tree_.emplace(open_->fs, open_->output_folder(std::nullopt), output == "." ? "" : output + "/");
  tree_->allow(open_->project->outputs());
  if (tree_->open(OutputTree::Access::Read, open_->sink)) return &*tree_;
  tree_.reset();
  return nullptr;
}

void Session::edit(const std::string& path, std::string text) {
  const bool is_open = open_ != nullptr && open_->project != nullptr && !is_of_project(path);
  if (is_open) open_->fs.edit(open_->project->workspace().io_path(path), text);
  edits_.insert_or_assign(path, std::move(text));
  forget(path);
}

void Session::revert(const std::string& path) {
  if (edits_.erase(path) == 0) return;
  if (open_ != nullptr && open_->project != nullptr) open_->fs.revert(open_->project->workspace().io_path(path));
  forget(path);
}

// A file that no cluster has read may be a new layer of any.
void Session::forget(const std::string& path) {
  if (open_ == nullptr) return;
  if (open_->project == nullptr || is_of_project(path)) return close();
  if (std::erase_if(known_, [&](const auto& known) { return known.second->files.contains(path); }) == 0) known_.clear();
}

bool Session::is_of_project(std::string_view path) const {
  const auto files = open_->sources.files();
  const bool is_source =
      std::any_of(files.begin(), files.end(), [&](FileId file) { return open_->sources.path(file) == path; });
  if (is_source || path == kConfigName) return true;
  const Project& project = *open_->project;
  const auto is_below = [&](std::string_view folder) { return is_in(path, folder); };
  if (is_below("schemas") || is_below("lint-rules") || is_below(project.config().templates)) return true;
  const auto& plain = project.plain_folder();
  return plain && (is_below(plain->folder) || path == plain->schema);
}

std::unique_ptr<CompiledCluster> Session::render(const std::string& values_path) {
  return compile_cluster(values_path, *open_->project, tree());
}

std::shared_ptr<const LintedCluster> Session::lint_one(const std::string& values_path, const lint::Linter& linter,
                                                       const lint::Context& context) {
  const std::unique_ptr<CompiledCluster> compiled = compile_cluster(values_path, *open_->project, &*tree_);
  auto result = std::make_shared<LintedCluster>();
  result->values_path = values_path;
  result->name = compiled->name;
  result->is_clean = compiled->clean();
  result->project = open_;
  result->setup = setup_;
  for (const FileId file : compiled->sources.files()) result->files.emplace(compiled->sources.path(file));
  result->findings = std::make_unique<lint::KeptFindings>(compiled->set == nullptr ? nullptr : &compiled->set->sources);
  std::unique_ptr<lint::Cluster> cluster;
  if (result->is_clean) {
    cluster = std::make_unique<lint::Cluster>(*compiled, context);
    lint::lint_cluster(linter, *cluster, lint::Blame::Value);
  } else {
    lint::choose(compiled->sink.diagnostics(), compiled->sources, linter.selection(), values_path);
  }
  result->findings->take(compiled->sink, compiled->sources, compiled->redactor());
  return result;
}

std::vector<std::shared_ptr<const LintedCluster>> Session::lint(std::span<const std::string> values_paths,
                                                                unsigned jobs, const std::atomic<bool>* stops) {
  std::vector<std::shared_ptr<const LintedCluster>> results(values_paths.size());
  if (tree() == nullptr) return results;
  const lint::Linter linter = setup_->linter();
  const lint::Context context = setup_->context(*open_->project, false);
  parallel_for(results.size(), jobs, [&](std::size_t i) {
    if (stops != nullptr && *stops) return;
    const auto known = known_.find(values_paths[i]);
    results[i] = known != known_.end() ? known->second : lint_one(values_paths[i], linter, context);
  });
  for (const auto& result : results) {
    if (result != nullptr) known_.insert_or_assign(result->values_path, result);
  }
  return results;
}

}  // namespace capwright::workflow
