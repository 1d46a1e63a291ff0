// Each thread has its own project, so that it knows which cluster reads a file.
#include "workflow/recorded_inputs.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "pipeline/compile_cluster.h"
#include "pipeline/own_addons.h"
#include "pipeline/parallel.h"
#include "workflow/shown_path.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kSetManifest = "template.yaml", kSharedSet = "common";

constexpr unsigned kMostProjects = 8;

std::string normal(std::string_view path) { return std::filesystem::path(path).lexically_normal().string(); }

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Chooses the inputs of one cluster from what was read to open the project and to render the cluster.
class InputsOfCluster {
 public:
  InputsOfCluster(const CompiledCluster& compiled, OpenProject& open, const std::optional<std::string>& output)
      : compiled_(compiled),
        open_(open),
        project_(*open.project),
        request_output_(output),
        output_(normal(open.output_folder(output) + "/clusters")),
        sets_(project_.config().templates) {
    if (compiled.set != nullptr) {
      for (const FileId file : compiled.set->sources.files()) of_set_.emplace(compiled.set->sources.path(file));
    }
  }

  report::ClusterInputs choose(const FileLog& log) {
    report::ClusterInputs inputs;
    inputs.name = compiled_.name;
    inputs.values_path = compiled_.values_path;
    const bool is_plain = project_.options().plain.has_value();
    if (!is_plain) inputs.tree = shown(output_ + "/" + compiled_.name);
    for (const std::string& path : log.files) {
      if (is_in(path, output_)) inputs.tree_files.push_back(shown(path));
      else if (counts(path) && is_of_set(shown(path))) inputs.files.push_back(shown(path));
    }
    for (const std::string& path : log.folders) {
      if (counts(path) && is_folder_of_set(shown(path))) inputs.folders.push_back(shown(path));
    }
    std::set<std::string> watched;
    for (const std::string& path : log.missing) {
      if (!counts(path)) continue;
      inputs.missing.push_back(shown(path));
      watched.insert(shown(existing_above(path)));
    }
    inputs.watched.assign(watched.begin(), watched.end());
    for (const RenderedFile& file : compiled_.files.files()) {
      if (is_outside(compiled_.files.path_in_cluster(file)))
        inputs.outputs.push_back(shown(normal(open_.output_folder(request_output_) + "/" + file.path)));
    }
    for (auto* paths : {&inputs.files, &inputs.missing, &inputs.folders, &inputs.tree_files})
      std::sort(paths->begin(), paths->end());
    return inputs;
  }

 private:
  std::string shown(const std::string& path) const { return shown_path(project_.workspace(), path); }

  // The earlier render is an input as a whole. How the repository is found isn't one.
  bool counts(const std::string& path) const {
    if (is_in(path, output_) || is_in(output_, path) || name_in(path) == ".git") return false;
    return name_in(path) != kConfigName || shown(path) == kConfigName;
  }

  // Opening a project reads all add-ons of the repository, but only the facts of the others matter.
  bool is_of_other_addon(const std::string& path) const {
    if (!is_in(path, kOwnAddons) || path == kOwnAddons || name_in(path) == kAddonFacts) return false;
    const std::string_view below = std::string_view(path).substr(kOwnAddons.size() + 1);
    const std::string_view id = below.substr(0, below.find('/'));
    const Value* addons = compiled_.values.find("addons");
    const auto is_it = [&](const Value& addon) { return addon.text_at("id") == id; };
    return addons != nullptr && std::none_of(addons->items().begin(), addons->items().end(), is_it);
  }

  // Opening a project reads all sets, but only the manifests of the others matter: their providers.
  bool is_of_set(const std::string& path) const {
    if (is_of_other_addon(path)) return false;
    if (project_.options().plain || !is_in(path, sets_) || compiled_.set == nullptr) return true;
    return of_set_.contains(path) || (name_in(path) == kSetManifest && is_in_set_folder(path));
  }
  bool is_in_set_folder(const std::string& path) const {
    return std::count(path.begin() + static_cast<std::ptrdiff_t>(sets_.size()), path.end(), '/') == 2;
  }
  bool is_folder_of_set(const std::string& path) const {
    if (is_of_other_addon(path)) return false;
    if (project_.options().plain || path == sets_ || !is_in(path, sets_) || compiled_.set == nullptr) return true;
    return is_in(path, sets_ + "/" + std::string(kSharedSet)) ||
           (!compiled_.set->built_in && is_in(path, sets_ + "/" + compiled_.set->id));
  }

  std::string existing_above(const std::string& path) const {
    std::filesystem::path above = std::filesystem::path(path).parent_path();
    FileStat stat;
    while (!above.empty() && (open_.files.stat(above.string(), stat) || stat.type != FileType::Directory))
      above = above.parent_path();
    return above.empty() ? "." : above.string();
  }

  const CompiledCluster& compiled_;
  OpenProject& open_;
  const Project& project_;
  const std::optional<std::string>& request_output_;
  const std::string output_, sets_;
  std::set<std::string, std::less<>> of_set_;
};

}  // namespace

// Renders clusters one after the other.
struct RecordedInputs::Worker {
  std::unique_ptr<OpenProject> open;
  std::optional<OutputTree> tree;
  FileLog of_project;

  // False only if the repository has changed since record() opened the tree.
  bool begin(const OpenRequest& request, const GitHistory* history) {
    tree.reset();
    open = open_project(request);
    of_project = open->recorded.take();
    if (open->project == nullptr || open->project->options().plain) return open->project != nullptr;
    tree.emplace(open->fs, open->output_folder(request.output), "");
    tree->use_history(history);
    return tree->open(OutputTree::Access::Read, open->sink);
  }

  // The names of all clusters are read once per project, for the first cluster that asks.
  bool has_named_all(const FileLog& log) const {
    const Project& project = *open->project;
    const auto& folders = project.config().values;
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return log.folders.contains(normal(project.workspace().io_path(folder)));
    });
  }
};

RecordedInputs::RecordedInputs(OpenRequest request, OpenProject& open) : request_(std::move(request)), opened_(open) {
  request_.records_files = true;
  std::string no_history;
  if (!request_.plain) history_ = GitHistory::open(open.files, open.output_folder(request_.output), no_history);
}

bool RecordedInputs::record(const std::vector<std::string>& values_paths, unsigned jobs) {
  OutputTree tree(opened_.fs, opened_.output_folder(request_.output), "");
  if (!request_.plain && !tree.open(OutputTree::Access::Read, opened_.sink)) return false;
  clusters_.resize(values_paths.size());
  failed_.resize(values_paths.size());
  const std::size_t threads = std::min<std::size_t>(jobs == 0 ? kMostProjects : jobs, values_paths.size());
  open_.resize(threads);
  parallel_for(threads, jobs, [&](std::size_t i) { record_some(values_paths, i, threads); });
  return true;
}

void RecordedInputs::record_some(const std::vector<std::string>& values_paths, std::size_t first, std::size_t step) {
  Worker worker;
  bool is_open = false;
  for (std::size_t i = first; i < values_paths.size(); i += step) {
    if (!is_open && !worker.begin(request_, history_.get())) return;
    is_open = true;
    auto compiled = compile_cluster(values_paths[i], *worker.open->project, worker.tree ? &*worker.tree : nullptr);
    FileLog log = worker.open->recorded.take();
    const bool is_used_up = worker.has_named_all(log);
    log.add(worker.of_project);
    clusters_[i] = InputsOfCluster(*compiled, *worker.open, request_.output).choose(log);
    if (!compiled->clean()) failed_[i] = std::move(compiled);
    if (!is_used_up) continue;
    worker.tree.reset();
    open_[first].push_back(std::move(worker.open));
    is_open = false;
  }
  worker.tree.reset();
  if (is_open) open_[first].push_back(std::move(worker.open));
}

void RecordedInputs::add_findings(report::Findings& findings) const {
  std::set<const TemplateSet*> broken;
  for (const auto& cluster : failed_) {
    if (cluster == nullptr) continue;
    if (cluster->set != nullptr && cluster->set->sink.failed() && broken.insert(cluster->set).second)
      findings.add(cluster->set->sink.diagnostics(), cluster->set->sources, {}, "");
    findings.add(*cluster, clusters_.size() > 1 ? std::string_view(cluster->values_path) : std::string_view());
  }
}

}  // namespace capwright::workflow
