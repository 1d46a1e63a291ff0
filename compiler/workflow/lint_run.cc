// Lints clusters in parallel, in any order; the findings of each have their own slot.
#include "workflow/lint_run.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "diag/catalog/repository.h"
#include "lint/engine/selection.h"
#include "lint/facts/credential_places.h"
#include "lint/model/input_map.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/compile_fleet.h"
#include "pipeline/parallel.h"
#include "pipeline/removals.h"

namespace capwright::workflow {
namespace {

// The number of clusters that stay open: a small run then opens none twice, and a large one keeps most of those that
// are the first of their template set.
constexpr std::size_t kStayOpen = 32;

// Whether the sources of each cluster are needed.
bool asks_for_sources(const LintRequest& request, const Config& config) {
  return request.show_files || request.baseline || request.write_baseline || !config.lint.baseline.empty();
}

// No path contains the byte after each path.
constexpr char kEndOfPath = '\0';

template <class Visit>
void for_each_path(std::string_view paths, Visit visit) {
  while (!paths.empty()) {
    const std::size_t end = paths.find(kEndOfPath);
    visit(paths.substr(0, end));
    paths.remove_prefix(end + 1);
  }
}

bool may_fix(const LintRequest& request) { return request.fix || request.unsafe_fixes || request.diff; }

}  // namespace

LintRun::LintRun(const LintRequest& request, OpenProject& open, const lint::Context& context,
                 const lint::Linter& linter, OutputTree* tree)
    : request_(request),
      open_(open),
      context_(context),
      of_parts_(context),
      linter_(linter),
      tree_(tree),
      fleet_(linter, request.blame),
      opened_(kStayOpen) {
  of_parts_.is_part = true;
}

void LintRun::begin(LintTargets targets) {
  targets_ = std::move(targets);
  sources_ = targets_.sources.size();
  groups_ = take_groups(targets_);
  looked_.resize(targets_.values.size() + targets_.sets.size() + groups_.size());
  keeps_paths_ = !groups_.empty() || request_.new_from_rev || asks_for_sources(request_, open_.project->config());
}

bool LintRun::run(LintTargets targets) {
  begin(std::move(targets));
  const std::size_t values = targets_.values.size();
  FleetOptions fleet;
  fleet.keep = true;
  fleet.jobs = request_.jobs;
  fleet.tree = tree_;
  fleet.shown = {open_.progress, "Linting", "clusters"};
  fleet.stops = request_.stops;
  if (request_.shard.is_part()) fleet.chosen = [this](const std::string& path) { return request_.shard.has(path); };
  fleet.visit = [this](std::size_t number, ClusterOutcome& outcome) {
    looked_[number].name = outcome.name;
    looked_[number].clean = outcome.clean;
    if (on_render_) on_render_(number, *outcome.cluster);
    look(number, of_compiled(std::move(outcome.cluster)));
    outcome = {};
  };
  compile_fleet(targets_.values, *open_.project, fleet);
  if (is_stopped()) return false;
  if (!request_.shard.is_part()) report_twice();
  leave_out_rendered();
  parallel_for(looked_.size() - values, request_.jobs, {open_.progress, "Linting", "folders"}, [&](std::size_t i) {
    if (!is_stopped()) look(values + i, open(values + i));
  });
  if (is_stopped()) return false;
  if (request_.shard.is_part()) opened_.clear();
  else finish_fleet();
  return true;
}

// A rendered file that is named together with its cluster is linted with the cluster, as it will be rendered.
void LintRun::leave_out_rendered() {
  const std::string& output = open_.project->config().output;
  std::unordered_set<std::string> rendered;
  for (std::size_t i = 0; i < targets_.values.size() && !groups_.empty(); ++i) {
    for_each_path(looked_[i].files, [&](std::string_view path) {
      rendered.insert(output == "." ? std::string(path) : fmt::format("{}/{}", output, path));
    });
    for_each_path(looked_[i].by_hand, [&](std::string_view path) { rendered.emplace(path); });
  }
  for (lint::ManifestGroup& group : groups_)
    std::erase_if(group.manifests, [&](const lint::Manifest& manifest) { return rendered.contains(manifest.path); });
}

// A source that is also rendered: its cluster has moved.
void LintRun::report_twice() {
  for (std::size_t i = 0; i < sources_; ++i) {
    const auto end = looked_.begin() + static_cast<std::ptrdiff_t>(targets_.values.size());
    const auto rendered =
        std::find_if(looked_.begin(), end, [&](const Looked& looked) { return looked.name == groups_[i].name; });
    if (rendered == end) continue;
    const auto& all = open_.project->config().sources;
    const auto source = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == groups_[i].name; });
    open_.sink
        .report(diag::invalid_source, source->where, source->name,
                fmt::format("`{}` is a cluster of this name",
                            values_path(static_cast<std::size_t>(rendered - looked_.begin()))))
        .advise("remove the source if the cluster has moved, otherwise rename it");
  }
}

LintRun::Opened LintRun::of_compiled(std::unique_ptr<CompiledCluster> compiled) {
  Opened opened{std::move(compiled), nullptr};
  if (!opened.compiled->clean()) return opened;
  opened.cluster = std::make_unique<lint::Cluster>(*opened.compiled, context_);
  const FileSet& rendered = opened.compiled->files;
  if (tree_ == nullptr || opened.compiled->values_path.empty()) return opened;
  // The tool that delivers the tree applies them, too. The tree is read as it is on disk, without fixes.
  for (LooseFile& file : files_beside(*tree_, rendered, open_.limits)) {
    std::string path = tree_->shown_path(rendered.directory() + file.path);
    const std::string* fixed = open_.fs.edited(open_.project->workspace().io_path(path));
    opened.cluster->add_manifest(std::move(path), fixed != nullptr ? *fixed : std::move(file.text));
  }
  return opened;
}

LintRun::Opened LintRun::open(std::size_t number) {
  const std::vector<std::string>& values = targets_.values;
  const std::vector<const TemplateSet*>& sets = targets_.sets;
  if (number < values.size()) return of_compiled(compile_cluster(values[number], *open_.project, tree_));
  if (is_rendered(number)) return of_compiled(cluster_without_values(*sets[number - values.size()]));
  const lint::ManifestGroup& group = groups_[number - values.size() - sets.size()];
  const bool is_part = std::any_of(group.manifests.begin(), group.manifests.end(),
                                   [](const lint::Manifest& manifest) { return manifest.has_siblings; });
  return {nullptr, lint::read_group(group, is_part ? of_parts_ : context_)};
}

void LintRun::look(std::size_t number, Opened opened) {
  Looked& looked = looked_[number];
  if (opened.cluster != nullptr) fleet_.add(number, lint::lint_cluster(linter_, *opened.cluster, request_.blame));
  if (!is_rendered(number)) looked.name = opened.cluster->name();
  if (request_.claims) looked.inputs = inputs_of(number, opened);
  remember(opened, looked);
  if (number < opened_.size()) opened_[number] = std::move(opened);
}

// The repository's files: neither built-in ones, nor stand-ins for request.
std::vector<std::string> LintRun::files_on_disk(const SourceSet& sources) const {
  constexpr std::string_view kBuiltIn = "schemas/";
  std::vector<std::string> paths;
  for (const FileId file : sources.files()) {
    std::string path(sources.path(file));
    FileStat stat;
    if (path.starts_with(kBuiltIn) || open_.fs.stat(open_.project->workspace().io_path(path), stat)) continue;
    if (stat.type == FileType::Regular) paths.push_back(std::move(path));
  }
  return paths;
}

void LintRun::remember(const Opened& opened, Looked& looked) const {
  CompiledCluster* compiled = opened.compiled.get();
  Sink& sink = compiled != nullptr ? compiled->sink : opened.cluster->sink();
  const SourceSet& sources = compiled != nullptr ? compiled->sources : opened.cluster->sources();
  const TemplateSet* set = compiled != nullptr ? compiled->set : nullptr;
  looked.findings = std::make_unique<lint::KeptFindings>(set == nullptr ? nullptr : &set->sources);
  if (compiled != nullptr && opened.cluster == nullptr)
    lint::choose(sink.diagnostics(), sources, linter_.selection(), compiled->values_path);
  secrets::Redactor redactor;
  if (!sink.diagnostics().empty() || may_fix(request_))
    redactor = opened.cluster != nullptr ? lint::redactor_of(*opened.cluster) : compiled->redactor();
  const secrets::Places secrets = looked.findings->take(sink, sources, std::move(redactor));
  if (may_fix(request_)) {
    for (const Span secret : secrets.all()) looked.secrets[std::string(sources.path(secret.file))].push_back(secret);
  }
  if (compiled != nullptr && asks_for_sources(request_, open_.project->config())) {
    looked.sources = files_on_disk(sources);
    if (set != nullptr && !set->built_in) {
      for (std::string& path : files_on_disk(set->sources)) looked.sources.push_back(std::move(path));
    }
  }
  if (looked.findings->diagnostics().empty()) looked.findings.reset();
  if (compiled == nullptr && opened.cluster->inputs() != nullptr) {
    for (const lint::CommandOutput::Input& input : opened.cluster->inputs()->output().inputs)
      looked.sources.push_back(input.path);
  }
  looked.was_linted = opened.cluster != nullptr;
  if (opened.cluster != nullptr) looked.unknown_kinds = lint::unknown_kinds(*opened.cluster);
  const auto add_path = [&](std::string_view path, std::string& paths) {
    ++looked.file_count;
    if (keeps_paths_) paths.append(path).push_back(kEndOfPath);
  };
  if (compiled != nullptr) {
    for (const RenderedFile& file : compiled->files.files()) add_path(file.path, looked.files);
  }
  if (opened.cluster == nullptr) return;
  for (const lint::File& file : opened.cluster->files()) {
    if (file.rendered == nullptr) add_path(file.path, compiled != nullptr ? looked.by_hand : looked.files);
  }
}

// Opens and lints clusters with common keys again, so that all their data is available.
void LintRun::finish_fleet() {
  const std::vector<std::size_t> wanted = fleet_.wanted();
  std::vector<Opened> again(wanted.size());
  parallel_for(wanted.size(), request_.jobs, [&](std::size_t i) {
    if (wanted[i] < opened_.size()) {
      again[i] = std::move(opened_[wanted[i]]);
      return;
    }
    again[i] = open(wanted[i]);
    if (again[i].cluster != nullptr) lint::lint_cluster(linter_, *again[i].cluster, request_.blame);
  });
  lint::Fleet fleet;
  for (const Opened& opened : again) {
    if (opened.cluster != nullptr) fleet.clusters.push_back(opened.cluster.get());
  }
  fleet_.finish(fleet, fleet_findings_);
  opened_.clear();
}

void LintRun::add_project_findings() {
  const lint::Selection& selection = linter_.selection();
  const auto add = [&](std::vector<Diagnostic> diagnostics, const SourceSet& sources) {
    findings_.add(of_project_.emplace_back(std::move(diagnostics)), sources, {}, "");
  };
  for (std::vector<Diagnostic> diagnostics :
       {std::as_const(open_.sink).diagnostics(), std::as_const(open_.project->sink()).diagnostics()}) {
    lint::choose(diagnostics, open_.sources, selection);
    add(std::move(diagnostics), open_.sources);
  }
  if (!request_.merge_claims.empty()) return;  // the parts report template sets
  for (const TemplateSet* set : open_.project->sets_with_findings())
    add(lint::findings_of(*set, selection, context_.as_of), set->sources);
}

void LintRun::collect(report::Findings::Keep keep) {
  findings_ = report::Findings(std::move(keep));
  add_project_findings();
  const bool has_several = targets_.values.size() + targets_.sets.size() > 1;
  const auto add = [&](const lint::KeptFindings& kept, const std::string& name, std::string_view own_file) {
    findings_.add(kept.diagnostics(), kept.sources(), kept.redactor(), name, own_file);
  };
  std::size_t count = 0;
  for (const Looked& looked : looked_) count += looked.findings != nullptr ? looked.findings->diagnostics().size() : 0;
  findings_.expect(count);
  for (std::size_t i = 0; i < looked_.size(); ++i) {
    const Looked& looked = looked_[i];
    if (looked.findings == nullptr) continue;
    add(*looked.findings, looked.name, has_several ? values_path(i) : std::string_view());
  }
  add(fleet_findings_, "", {});
}

LintScope LintRun::scope() const {
  LintScope scope;
  for (std::size_t i = 0; i < looked_.size() && is_rendered(i); ++i) {
    if (!is_in_part(i)) continue;
    scope.values_of.emplace(looked_[i].name, values_path(i));
    for_each_path(looked_[i].files, [&](std::string_view path) { scope.rendered.emplace(path); });
  }
  bool is_read = true;
  for (std::size_t i = 0; i < sources_; ++i) {
    const bool has_run = !groups_[i].output || !groups_[i].manifests.empty();
    if (has_run) scope.values_of.emplace(groups_[i].name, kConfigName);
    is_read = is_read && has_run;
  }
  for (std::size_t i = sources_; i < groups_.size(); ++i) scope.folders.insert(groups_[i].name);
  scope.all_clusters = targets_.all_clusters && is_read && !request_.shard.is_part();
  scope.whole_folder = targets_.whole_folder && is_read;
  for (const lint::ManifestGroup& group : groups_) {
    for (const lint::Manifest& manifest : group.manifests) scope.files.insert(manifest.path);
  }
  const std::vector<std::string_view> linted = files();
  scope.files.insert(linted.begin(), linted.end());
  for (std::size_t i = 0; i < looked_.size() && scope.all_clusters; ++i)
    scope.files.insert(looked_[i].sources.begin(), looked_[i].sources.end());
  for (const auto& [name, values_path] : scope.values_of) scope.files.insert(values_path);
  return scope;
}

bool LintRun::is_complete() const {
  const auto end = looked_.begin() + static_cast<std::ptrdiff_t>(targets_.values.size());
  return targets_.sets.empty() && std::all_of(looked_.begin(), end, [](const Looked& looked) { return looked.clean; });
}

void LintRun::tell_secrets(LintFixes& fixes) const {
  for (const Looked& looked : looked_) {
    for (const auto& [path, secrets] : looked.secrets) {
      for (const Span secret : secrets) fixes.redact(path, secret);
    }
  }
}

lint::UnknownKinds LintRun::unknown_kinds() const {
  lint::UnknownKinds all;
  for (const Looked& looked : looked_) all.add(looked.unknown_kinds);
  return all;
}

std::string_view LintRun::values_path(std::size_t number) const {
  return number < targets_.values.size() ? std::string_view(targets_.values[number]) : std::string_view();
}

const SourceSet* LintRun::templates_alone(std::size_t number) const {
  const std::size_t values = targets_.values.size();
  return number >= values && is_rendered(number) ? &targets_.sets[number - values]->sources : nullptr;
}

std::vector<std::string_view> LintRun::files() const {
  std::vector<std::string_view> paths;
  for (std::size_t i = 0; i < looked_.size(); ++i) {
    if (!looked_[i].was_linted) continue;
    for (const std::string& list : {std::cref(looked_[i].files), std::cref(looked_[i].by_hand)})
      for_each_path(list, [&](std::string_view path) { paths.push_back(path); });
    const SourceSet* templates = templates_alone(i);
    if (templates == nullptr) continue;
    for (const FileId file : templates->files()) paths.push_back(templates->path(file));
  }
  return paths;
}

std::size_t LintRun::file_count() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < looked_.size(); ++i) {
    if (!looked_[i].was_linted) continue;
    const SourceSet* templates = templates_alone(i);
    count += looked_[i].file_count + (templates != nullptr ? templates->files().size() : 0);
  }
  return count;
}

std::set<std::string_view> LintRun::all_files() const {
  const std::vector<std::string_view> linted = files();
  std::set<std::string_view> paths(linted.begin(), linted.end());
  for (const Looked& looked : looked_) paths.insert(looked.sources.begin(), looked.sources.end());
  return paths;
}

}  // namespace capwright::workflow
