// The session knows what a changed file touches; this adds the tree's history, drafts and comparisons.
#include "preview/live_repository.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/compile_cluster.h"
#include "pipeline/layers.h"
#include "plan/gate.h"
#include "report/json.h"
#include "report/region.h"
#include "workflow/fixed_files.h"
#include "workflow/planned_fleet.h"

namespace capwright::preview {
namespace {

constexpr std::size_t kMostOpen = 8;  // clusters that stay in memory; each page shows one

workflow::OpenRequest request_of(const workflow::RepositoryOptions& repository, const workflow::ValueOptions& values,
                                 const std::map<std::string, std::string, std::less<>>* edits) {
  return {.repository = repository,
          .values = values,
          .plain = std::nullopt,
          .writes = false,
          .output = std::nullopt,
          .keeps_manifests = true,
          .edits = edits};
}

}  // namespace

Repository::Repository(workflow::RepositoryOptions repository, workflow::ValueOptions values)
    : repository_(std::move(repository)),
      values_(std::move(values)),
      session_(request_of(repository_, values_, nullptr)) {}

void Repository::forget_results() {
  ++generation_;
  open_clusters_.clear();
  clusters_.reset();
  history_.reset();
  stop_.reset();
}

bool Repository::load() {
  if (const auto stop = session_.load_rules({})) {
    stop_ = stop->messages.empty() ? "the repository's rules can't be read" : stop->messages.front();
    return false;
  }
  session_.load_schemas();
  return !session_.open().sink.failed();
}

workflow::OpenProject* Repository::open() {
  workflow::OpenProject& project = session_.open();
  if (project.project == nullptr || project.sink.failed() || !load()) return nullptr;
  return &project;
}

nlohmann::ordered_json Repository::faults() {
  report::Findings findings;
  workflow::add_project_findings(session_.open(), findings);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  if (stop_) list.push_back({{"severity", "error"}, {"message", *stop_}});
  for (const report::Finding& finding : findings.all()) list.push_back(report::finding_json(finding));
  return list;
}

const std::vector<std::string>& Repository::clusters() {
  if (!clusters_) {
    Sink ignored;  // a folder that can't be read has no clusters
    workflow::OpenProject& open = session_.open();
    clusters_ = find_values_files(open.fs, open.project->workspace(), open.project->config(), ignored);
  }
  return *clusters_;
}

bool Repository::has_cluster(std::string_view values_path) {
  const std::vector<std::string>& all = clusters();
  return std::find(all.begin(), all.end(), values_path) != all.end();
}

OpenCluster* Repository::cluster(const std::string& values_path) {
  if (const auto known = open_clusters_.find(values_path); known != open_clusters_.end()) return known->second.get();
  workflow::OpenProject& open = session_.open();
  const std::string folder = open.output_folder(std::nullopt);
  std::string no_history;
  if (history_ == nullptr) history_ = workflow::GitHistory::open(open.files, folder, no_history);
  OutputTree tree(open.fs, folder, output_prefix());
  tree.use_history(history_.get());
  tree.allow(open.project->outputs());
  if (!tree.open(OutputTree::Access::Read, open.sink)) return nullptr;
  if (open_clusters_.size() >= kMostOpen) open_clusters_.clear();
  auto opened = std::make_unique<OpenCluster>();
  opened->compiled = compile_cluster(values_path, *open.project, &tree, true);
  opened->context = session_.setup().context(*open.project, false);
  if (opened->compiled->clean()) opened->objects = std::make_unique<lint::Cluster>(*opened->compiled, opened->context);
  return open_clusters_.emplace(values_path, std::move(opened)).first->second.get();
}

std::vector<std::shared_ptr<const workflow::LintedCluster>> Repository::lint(
    std::span<const std::string> values_paths) {
  return session_.lint(values_paths);
}

// A comparison adds its findings to a project, so it has one of its own.
std::string Repository::compare(std::span<const std::string> values_paths, const std::string& base,
                                const diff::Visit& visit, const Use& use) {
  std::map<std::string, std::string, std::less<>> edits;
  for (const auto& [path, draft] : drafts_) edits.emplace(path, draft.text);
  const auto open = workflow::open_project(request_of(repository_, values_, &edits));
  if (open->project == nullptr) return "the configuration has errors";
  workflow::ComparisonRequest request;
  for (const std::string& path : values_paths) request.targets.push_back(open->project->workspace().io_path(path));
  if (!base.empty()) request.base = base;
  if (!base.empty() && !request.compares_with_revision()) return fmt::format("`{}` is a folder; name a revision", base);
  workflow::Comparison sides(request, *open);
  if (!sides.prepare(diff::Traces::Control)) {
    const auto faults = sides.faults(nullptr).all();
    return faults.empty() ? "the sides can't be opened" : report::whole_message(faults.front());
  }
  const plan::Gate gate;
  workflow::PlannedFleet planned(gate, sides.registry(), open->project.get(), open->limits);
  if (const auto delivery = sides.delivery_of_base()) planned.was_delivered_by(*delivery);
  const auto visit_both = [&](std::size_t number, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
    planned.visit(diff, pair);
    visit(number, diff, pair);
  };
  const diff::FleetResult result =
      diff::compare_fleet(sides.pairs(), {sides.registry(), {}, false, nullptr}, request.jobs, visit_both);
  use(planned.finish(result, sides.before(), sides.after()), result);
  return {};
}

std::optional<std::string> Repository::text(const std::string& path) {
  if (const auto draft = drafts_.find(path); draft != drafts_.end()) return draft->second.text;
  workflow::OpenProject& open = session_.open();
  std::string text;
  if (open.fs.read(open.project->workspace().io_path(path), text, open.limits.input_bytes)) return std::nullopt;
  return text;
}

void Repository::edit(const std::string& path, std::string text) {
  const auto known = drafts_.find(path);
  std::string before = known != drafts_.end() ? known->second.before : this->text(path).value_or("");
  forget_results();
  session_.edit(path, text);
  drafts_.insert_or_assign(path, Draft{std::move(before), std::move(text)});
}

void Repository::revert(const std::string& path) {
  if (drafts_.erase(path) == 0) return;
  forget_results();
  session_.revert(path);
}

std::string Repository::write(const std::string& path) {
  const auto draft = drafts_.find(path);
  if (draft == drafts_.end()) return fmt::format("`{}` has no unsaved text", path);
  workflow::OpenProject& open = session_.open();
  const std::string opened = open.project->workspace().io_path(path);
  if (!open.inside.holds(opened, draft->second.before))
    return fmt::format("`{}` changed on disk since it was edited here; revert, and edit it again", path);
  const workflow::FixedFile file{path, opened, draft->second.before, draft->second.text};
  std::string why = workflow::write_fixed_files(open.inside, std::span(&file, 1));
  if (why.empty()) revert(path);
  return why;
}

std::string Repository::root() {
  const std::string& prefix = session_.open().project->workspace().prefix;
  return prefix.empty() ? "." : prefix;
}

std::string Repository::title() {
  workflow::OpenProject& open = session_.open();
  const std::filesystem::path root = std::filesystem::path(open.here) / open.project->workspace().prefix / ".";
  return root.lexically_normal().parent_path().filename().string();
}

std::string Repository::output_prefix() {
  const std::string& output = session_.open().project->config().output;
  return output == "." ? "" : output + "/";
}

std::string Repository::clusters_folder() { return output_prefix() + "clusters"; }

void Repository::take_changes(std::span<const std::string> paths) {
  forget_results();
  const std::string tree = session_.open().project == nullptr ? "" : clusters_folder();
  for (const std::string& path : paths) {
    const bool is_commit = path.starts_with(".git/");
    if (is_commit || is_in(path, tree)) ++tree_generation_;
    if (!is_commit) session_.forget(path);
  }
  // An error outlives its reason, such as an unreadable tree, until the project is opened again.
  if (session_.open().sink.failed()) session_.forget(std::string(kConfigName));
}

}  // namespace capwright::preview
