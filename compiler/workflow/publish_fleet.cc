// Renders, lints and compares like the commands of these names, on file systems that are commits.
#include "workflow/publish_fleet.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "admission/providers.h"
#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "diff/fleet.h"
#include "diff/folders.h"
#include "files/compare_directory.h"
#include "files/output_tree.h"
#include "files/previous.h"
#include "lint/engine/setup.h"
#include "lint/model/template_reads.h"
#include "pipeline/schemas.h"
#include "report/diff_report.h"
#include "report/diff_words.h"
#include "source/memory_fs.h"
#include "workflow/base_project.h"
#include "workflow/followed_branch.h"
#include "workflow/lint_rendered.h"
#include "workflow/lint_rules.h"
#include "workflow/loose_folders.h"
#include "workflow/planned_fleet.h"

namespace capwright::workflow {
namespace {

using git::ObjectId;
using publish::Verdict;

constexpr const char* kBefore = "what is published";
constexpr const char* kAfter = "the render";

// All files of a cluster's folder, relative to it.
std::vector<std::string> files_below(const OutputTree& tree, const std::string& cluster) {
  std::vector<std::string> files, folders{""};
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    std::vector<DirEntry> entries;
    if (tree.fs().list(tree.clusters() / (cluster + "/" + folder + "."), entries)) continue;
    for (const DirEntry& entry : entries) {
      if (entry.type == FileType::Directory) folders.push_back(folder + entry.name + "/");
      else files.push_back(folder + entry.name);
    }
  }
  return files;
}

// Whether a file of the branch isn't as capwright has rendered it.
bool is_foreign(const ComparedFile& file) {
  return file.state == DiskState::Edited || file.state == DiskState::Foreign || file.state == DiskState::Barred;
}

class FleetRendering final : public publish::Rendering {
 public:
  explicit FleetRendering(const PublishEnvironment& environment) : environment_(environment) {}

  const std::vector<git::FileChange>& changes() const override { return changes_; }
  const std::vector<publish::RenderedCluster>& clusters() const override { return clusters_; }

  Verdict render(const publish::Commits& commits) {
    if (!open(commits)) {
      report_missing(commits);
      return show_faults();
    }
    FleetOptions fleet;
    fleet.keep = true;
    fleet.jobs = environment_.jobs;
    fleet.tree = &*tree_;
    run_.emplace(
        LintEnvironment{*source_->project, source_->sink, source_->sources, context_, environment_.jobs, &*tree_},
        compile_fleet(source_->clusters, *source_->project, fleet));
    if (run_->outcomes().empty()) faults_.report(diag::nothing_rendered, Span());
    report_missing(commits);
    if (!run_->is_complete() || faults_.failed()) return show_faults();
    compare();
    report_missing(commits);
    if (environment_.values == nullptr) find_gone();
    if (environment_.values == nullptr) show_followed_branches();
    Stage stage{source_->sources, source_->sink, source_->arena, source_->origins, environment_.open.limits};
    setup_.read_schemas(*source_->project, stage);
    if (!faults_.failed() && !faults_.diagnostics().empty()) show_warnings();
    return faults_.failed() ? show_faults() : Verdict::Fine;
  }

  Verdict lint(std::string& said) override {
    setup_.own_rules = load_own_rules(environment_.open);
    const LintRequest request;
    setup_.selection = selection_of(request, environment_.open.project->config(), setup_.own_rules);
    LintFilter filter;
    const std::vector<std::string> faults = faulty_selectors(setup_.selection, environment_.open);
    for (const std::string& fault : faults) environment_.fail(fault);
    if (!faults.empty()) return Verdict::Fault;
    if (environment_.open.sink.failed() || source_->sink.failed()) return show_faults();
    if (const auto stop = filter.open(request, environment_.open)) return show_stop(*stop);
    context_ = setup_.context(*environment_.open.project, environment_.values == nullptr);
    run_->lint(setup_.linter());
    const LintScope scope = run_->scope();
    bool has_warnings = false;
    run_->collect(
        [&, keep = filter.keep(scope)](const Diagnostic& fault, const SourceSet& sources, std::string_view cluster) {
          if (!keep(fault, sources, cluster)) return false;
          has_warnings |= fault.severity == Severity::Warning;
          return fault.severity == Severity::Error;
        });
    environment_.show(run_->findings());
    said = has_warnings ? "warnings, which `capwright lint` shows" : "";
    if (run_->findings().has_outside_fault()) return Verdict::Fault;
    return run_->findings().count(Severity::Error) != 0 ? Verdict::Findings : Verdict::Fine;
  }

  const std::vector<std::string>& removed() const override { return removed_; }
  const std::vector<publish::GoneCluster>& gone() const override { return gone_; }

  Verdict diff(std::string& text) override {
    const auto pairs = compared_pairs();
    diff::CompareOptions options;
    options.registry = setup_.schemas.registry.get();
    PlannedFleet planned(environment_.gate, options.registry, environment_.open.project.get(),
                         environment_.open.limits);
    const auto visit = [&](std::size_t, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
      planned.visit(diff, pair);
    };
    const diff::FleetResult result = diff::compare_fleet(*pairs, options, environment_.jobs, visit);
    const bool verbose = environment_.verbose;
    report::FleetDifferences all{result.clusters, result.compared, result.failed_pairs,
                                 result.ignored,  kBefore,         kAfter};
    all.other_folders = result.other_folders;
    text = report::diff_as_text(all, {false, verbose});
    const report::FleetPlan plan = planned.finish(result, kBefore, kAfter);
    text += "\n" + report::plan_as_text(plan, {verbose, false});
    const bool is_approved = !environment_.approve || environment_.approve(plan, planned.findings());
    const bool is_allowed = is_approved && plan.broken.empty() && planned.findings().count(Severity::Error) == 0;
    return is_allowed ? Verdict::Fine : Verdict::Findings;
  }

 private:
  // Returns false after reporting an error.
  bool open(const publish::Commits& commits) {
    const std::string& prefix = environment_.open.project->workspace().prefix;
    std::error_code failed;
    const std::string root = std::filesystem::weakly_canonical(prefix.empty() ? "." : prefix, failed).string();
    const auto folder = environment_.repository.path_below_root(root);
    if (!folder) {
      faults_.report(diag::no_git_repository, Span(), root);
      return false;
    }
    folder_ = folder->empty() ? "" : *folder + "/";
    ObjectId source = commits.source;
    if (environment_.values != nullptr && !place(commits, *folder, source)) return false;
    source_files_ = environment_.repository.files(source, *folder, faults_);
    if (source_files_ == nullptr) return false;
    source_ = open_base(*source_files_, Workspace(), *environment_.open.project);
    if (source_->project == nullptr) return false;
    if (environment_.values != nullptr)
      std::erase_if(source_->clusters, [&](const std::string& path) { return path != placed_.path; });
    const std::string& output = source_->project->config().output;
    if (output != ".") folder_ += output + "/";
    if (!open_tree(commits.base, *folder, base_files_, tree_)) return false;
    return commits.published == commits.base || open_tree(commits.published, *folder, published_files_, published_);
  }

  // A partial clone lacks files, which then seem to be absent.
  void report_missing(const publish::Commits& commits) {
    const auto report = [&](const git::CommitFiles* files, const std::optional<ObjectId>& commit) {
      const auto missing = files == nullptr ? std::nullopt : files->unreadable();
      if (missing && commit)
        git::report_missing_objects(environment_.repository, short_hex(*commit), *missing, faults_);
      return missing.has_value();
    };
    const bool is_known = report(source_files_.get(), commits.source) || report(base_files_.get(), commits.base);
    if (!is_known) report(published_files_.get(), commits.published);
  }

  // Adds the requested values: `source` becomes a commit with them.
  bool place(const publish::Commits& commits, const std::string& folder, ObjectId& source) {
    auto placed = place_values(*environment_.values, commits,
                               {environment_.repository, folder, *environment_.open.project}, faults_);
    if (!placed) return false;
    placed_ = std::move(*placed);
    if (environment_.placed) environment_.placed(placed_);
    if (placed_.breaks_condition) return false;
    if (placed_.source != source) changes_.push_back({folder_ + placed_.path, environment_.values->text});
    if (!placed_.replaced.empty()) changes_.push_back({folder_ + placed_.replaced, std::nullopt});
    source = placed_.source;
    return true;
  }

  bool open_tree(const std::optional<ObjectId>& commit, const std::string& folder,
                 std::unique_ptr<git::CommitFiles>& files, std::optional<OutputTree>& tree) {
    if (commit) files = environment_.repository.files(*commit, folder, faults_);
    if (commit && files == nullptr) return false;
    const std::string& output = source_->project->config().output;
    tree.emplace(commit ? static_cast<FileSystem&>(*files) : no_files_, output, output == "." ? "" : output + "/");
    tree->allow(source_->project->outputs());
    return tree->open(OutputTree::Access::Read, faults_);
  }

  void compare() {
    for (const ClusterOutcome& outcome : run_->outcomes()) {
      names_.insert(outcome.name);
      clusters_.push_back({outcome.cluster.get(), compare_cluster_files(*outcome.cluster)});
    }
    std::sort(clusters_.begin(), clusters_.end(),
              [](const auto& a, const auto& b) { return a.compiled->name < b.compiled->name; });
    if (environment_.prune) prune();
    else if (environment_.values == nullptr) report_unclaimed(*tree_, names_, faults_);
    if (foreign_ != 0 && !environment_.force) {
      faults_
          .report(diag::foreign_files_in_branch, Span(), foreign_,
                  foreign_ == 1 ? "file of the branch differs" : "files of the branch differ")
          .note(first_foreign_)
          .advise("move the change into values or templates, or overwrite the files with `--force`");
    }
  }

  void prune() {
    removed_ = unclaimed_clusters(*tree_, names_);
    for (const std::string& name : removed_) {
      const FileSet nothing(name, {});
      const DirectoryComparison comparison = compare_cluster(*tree_, nothing, {}, faults_);
      const std::string directory = folder_ + nothing.directory();
      for (const ComparedFile& file : comparison.files) {
        if (is_foreign(file)) add_foreign(folder_ + path_in_output(name, file.path));
      }
      for (const std::string& path : outputs_of(*tree_, name)) changes_.push_back({folder_ + path, std::nullopt});
      if (!comparison.index_fault.empty()) add_foreign(directory + std::string(kIndexName));
      for (const std::string& path : files_below(*tree_, name)) {
        if (path != kIndexName && comparison.known.find(path) == nullptr) add_foreign(directory + path);
      }
      changes_.push_back({directory.substr(0, directory.size() - 1), std::nullopt});
    }
  }

  const OutputTree& what_is_there() const { return published_ ? *published_ : *tree_; }

  // Finds clusters without values, except for those whose folders stay.
  void find_gone() {
    const std::vector<std::string> stay =
        environment_.prune ? std::vector<std::string>() : unclaimed_clusters(*tree_, names_);
    for (const std::string& name : unclaimed_clusters(what_is_there(), names_)) {
      if (std::find(stay.begin(), stay.end(), name) != stay.end()) continue;
      Sink unread;
      const PreviousCluster last = read_previous(what_is_there(), name, unread);
      const RenderStamp stamp = last.index ? last.index->stamp : RenderStamp();
      gone_.push_back({name, stamp.template_set, stamp.template_set_version});
    }
  }

  // The rendered clusters, and the folders that no values file makes, in what is published and in what will be.
  std::unique_ptr<diff::PairSource> compared_pairs() {
    const OutputTree& before = what_is_there();
    auto rendered =
        std::make_unique<diff::TreePairs>(source_->clusters, *source_->project, before, diff::Traces::Control, &*tree_);
    if (environment_.values != nullptr) return rendered;
    const diff::RenderedSide published{*source_->project, before, {}}, now{*source_->project, *tree_, {}};
    return std::make_unique<LooseFolderPairs>(std::move(rendered), published, now, names_, removed_);
  }

  void add_foreign(const std::string& path) {
    if (foreign_++ == 0) first_foreign_ = path;
  }

  // Returns whether one of its files changes.
  bool compare_cluster_files(const CompiledCluster& cluster) {
    DirectoryComparison comparison = compare_cluster(*tree_, cluster.files, cluster.stamp, faults_);
    const std::size_t before = changes_.size();
    const std::string directory = folder_ + cluster.files.directory();
    report_obstacles(*tree_, comparison, faults_);
    for (const ComparedFile& file : comparison.files) {
      const std::string path = folder_ + path_in_output(cluster.name, file.path);
      if (is_foreign(file)) add_foreign(path);
      if (file.rendered != nullptr && file.state != DiskState::Same)
        changes_.push_back({path, file.rendered->body.text()});
      const bool is_there = file.state != DiskState::Missing && file.state != DiskState::Barred;
      if (file.rendered == nullptr && is_there) changes_.push_back({path, std::nullopt});
    }
    // A comment in the values changes no files, so the index with their digests needn't change either.
    if (changes_.size() == before && comparison.index_tells_files) return false;
    changes_.push_back(
        {directory + std::string(kIndexName), indexes_.emplace_back(std::move(comparison.wanted_index))});
    return true;
  }

  void show_followed_branches() {
    FollowedBranches branches(environment_.open.project->config());
    for (const publish::RenderedCluster& cluster : clusters_)
      branches.add(cluster.compiled->name, followed_revision(*cluster.compiled));
    Sink warnings;
    branches.report(warnings);
    report::Findings findings;
    findings.add(warnings.diagnostics(), environment_.open.sources, {}, "");
    if (!warnings.diagnostics().empty()) environment_.show(findings);
  }

  void show_warnings() {
    report::Findings findings;
    findings.add(faults_.diagnostics(), no_sources_, {}, "");
    environment_.show(findings);
  }

  Verdict show_stop(const Stop& stop) {
    for (const std::string& message : stop.messages) environment_.fail(message);
    report::Findings findings;
    add_own_findings(environment_.open, findings);
    if (stop.messages.empty()) environment_.show(findings);
    return Verdict::Fault;
  }

  // Shows the findings so far.
  Verdict show_faults() {
    report::Findings findings;
    add_own_findings(environment_.open, findings);
    findings.add(faults_.diagnostics(), no_sources_, {}, "");
    if (source_ != nullptr && source_->project == nullptr)
      findings.add(source_->sink.diagnostics(), source_->sources, {}, "");
    environment_.show(findings);
    bool is_outside = findings.has_outside_fault();
    if (run_) {
      run_->collect(nullptr);
      environment_.show(run_->findings());
      is_outside = is_outside || run_->findings().has_outside_fault();
    }
    return is_outside ? Verdict::Fault : Verdict::Findings;
  }

  const PublishEnvironment environment_;
  const SourceSet no_sources_;
  Sink faults_;
  MemoryFs no_files_;
  std::unique_ptr<git::CommitFiles> source_files_, base_files_, published_files_;
  std::unique_ptr<BaseProject> source_;
  std::optional<OutputTree> tree_;       // of `base`
  std::optional<OutputTree> published_;  // if that is another commit
  admission::Providers providers_{admission::built_in_rules()};
  lint::Setup setup_{providers_};  // its schemas are those of the commit
  lint::Context context_;
  std::optional<RenderedLint> run_;
  PlacedValues placed_;          // with values
  std::string folder_;           // of `clusters/`, relative to the repository's root
  std::set<std::string> names_;  // of the clusters with values
  std::vector<git::FileChange> changes_;
  std::vector<publish::RenderedCluster> clusters_;
  std::vector<std::string> removed_;        // pruned clusters
  std::vector<publish::GoneCluster> gone_;  // and those removed by the user's own commits
  std::deque<std::string> indexes_;         // texts that changes_ point into
  std::size_t foreign_ = 0;
  std::string first_foreign_;
};

}  // namespace

std::unique_ptr<publish::Rendering> CommittedFleet::render(const publish::Commits& commits, Verdict& verdict) {
  auto rendering = std::make_unique<FleetRendering>(environment_);
  verdict = rendering->render(commits);
  if (verdict != Verdict::Fine) return nullptr;
  return rendering;
}

}  // namespace capwright::workflow
