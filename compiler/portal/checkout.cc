// Layers and values of other clusters are read for each request; only what a Project keeps must be watched.
#include "portal/checkout.h"

#include <algorithm>
#include <utility>

#include "base/sha.h"
#include "files/path_rules.h"
#include "git/repository.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/layers.h"
#include "pipeline/own_addons.h"
#include "source/real_system.h"

namespace capwright::portal {
namespace {

constexpr std::int64_t kWatchMilliseconds = 1000;  // between two looks at the shared files

class SharedFiles {
 public:
  explicit SharedFiles(workflow::OpenProject& open) : open_(open) {}

  void add(std::string_view shown) {
    std::string text;
    const IoError error = open_.fs.read(open_.project->workspace().io_path(shown), text, open_.limits.input_bytes);
    add_text(shown);
    add_text(error ? "" : text);
  }
  void add_folder(const std::string& shown) {
    std::vector<DirEntry> entries;
    if (open_.fs.list(open_.project->workspace().io_path(shown), entries)) return;
    for (const DirEntry& entry : entries) {
      const std::string path = shown + "/" + entry.name;
      if (entry.type == FileType::Directory) add_folder(path);
      else add(path);
    }
  }
  void add_text(std::string_view text) { all_ += to_hex(sha256(text)); }
  std::string digest() const { return to_hex(sha256(all_)); }

 private:
  workflow::OpenProject& open_;
  std::string all_;
};

std::string head_of(const Workspace& workspace) {
  Sink ignored;  // a folder without Git has no commits
  const auto repository = git::open_repository(workspace.prefix.empty() ? "." : workspace.prefix, ignored);
  const auto head = repository != nullptr ? repository->head(ignored) : std::nullopt;
  return head && head->commit ? git::hex(*head->commit) : std::string();
}

// The part of a glob before its first wildcard, as a folder.
std::string folder_of(std::string_view glob) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?["));
  const std::size_t slash = fixed.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(fixed.substr(0, slash));
}

// Of all files that clusters share and that a Project or a lint::Setup keeps, and of the commit.
std::string digest_of_shared_files(workflow::OpenProject& open) {
  if (open.project == nullptr) return {};
  const Config& config = open.project->config();
  SharedFiles files(open);
  files.add(kConfigName);
  for (const OwnCatalogue::File& file : {config.catalogue.addons, config.catalogue.kubernetes}) files.add(file.shown);
  for (const std::string& folder :
       {std::string("schemas"), std::string("lint-rules"), std::string(kOwnAddons), config.templates})
    files.add_folder(folder);
  for (const RuleFiles& rules : config.lint.rules) {
    if (const std::string folder = folder_of(rules.glob); !folder.empty()) files.add_folder(folder);
    else files.add(rules.glob);
  }
  if (const auto& own = open.project->plain_folder()) {
    files.add_folder(own->folder);
    if (own->schema) files.add(*own->schema);
  }
  files.add_text(head_of(open.project->workspace()));
  return files.digest();
}

}  // namespace

workflow::OpenRequest Checkout::request_of(Purpose purpose) const {
  const bool lints = purpose == Purpose::Lint;
  return {.repository = options_.repository,
          .values = options_.values,
          .plain = std::nullopt,
          .writes = false,
          .output = std::nullopt,
          .upgrade_set = lints,
          .encrypts = purpose == Purpose::Encrypt,
          .keeps_manifests = lints};
}

void Checkout::keep_faults(workflow::OpenProject& open) {
  faults_.emplace();
  workflow::add_own_findings(open, *faults_);
  has_failed_ = true;
}

// Opens it until no file changed while it was opened: a digest that was taken later could be that of newer files.
void Checkout::reopen(Opened& opened, Purpose purpose) {
  constexpr int kMostAttempts = 3;
  std::string before = "none";
  for (int attempt = 0; attempt < kMostAttempts && before != opened.digest; ++attempt) {
    opened.history.reset();
    opened.session = std::make_unique<workflow::Session>(request_of(purpose));
    before = std::exchange(opened.digest, digest_of_shared_files(opened.session->open()));
  }
  workflow::OpenProject& project = opened.session->open();
  if (project.project == nullptr) return;
  std::string no_history;
  opened.history = workflow::GitHistory::open(project.files, project.output_folder(std::nullopt), no_history);
}

workflow::OpenProject* Checkout::open(Purpose purpose) {
  if (std::exchange(has_failed_, false)) opened_ = {};
  faults_.reset();
  Opened& wanted = opened(purpose);
  const std::int64_t now = real_milliseconds();
  if (wanted.session == nullptr || now - wanted.looked_at >= kWatchMilliseconds) {
    wanted.looked_at = now;
    if (wanted.session == nullptr || digest_of_shared_files(wanted.session->open()) != wanted.digest)
      reopen(wanted, purpose);
    if (wanted.session->open().project != nullptr) find_values(wanted.session->open());
  }
  workflow::OpenProject& project = wanted.session->open();
  if (project.project != nullptr && !project.sink.failed()) return &project;
  keep_faults(project);
  return nullptr;
}

void Checkout::find_values(workflow::OpenProject& open) {
  Sink ignored;  // a folder that can't be read has no clusters
  values_files_ = find_values_files(open.fs, open.project->workspace(), open.project->config(), ignored);
  if (options_.folder) {
    folder_ = *options_.folder;
    return;
  }
  const std::vector<std::string>& folders = open.project->config().values;
  const auto folder = std::find_if_not(folders.begin(), folders.end(), has_data_name);
  folder_ = folder == folders.end() ? "values" : *folder;
}

std::string Checkout::known_path(std::string_view cluster) const {
  const auto known = std::find_if(values_files_.begin(), values_files_.end(),
                                  [&](const std::string& path) { return cluster_stem(path) == cluster; });
  return known == values_files_.end() ? "" : *known;
}

std::string Checkout::values_path(std::string_view cluster, bool is_json) const {
  std::string path = known_path(cluster);
  if (path.empty()) path = folder_ + "/" + std::string(cluster) + ".";
  return path.substr(0, path.rfind('.')) + (is_json ? ".json" : ".yaml");
}

std::unique_ptr<CompiledCluster> Checkout::render(const ValuesFile& file, Purpose purpose) {
  Opened& opened_for = opened(purpose);
  workflow::OpenProject& project = opened_for.session->open();
  const std::string& output = project.project->config().output;
  OutputTree tree(project.fs, project.output_folder(std::nullopt), output == "." ? "" : output + "/");
  tree.allow(project.project->outputs());
  tree.use_history(opened_for.history.get());
  if (!tree.open(OutputTree::Access::Read, project.sink)) {
    keep_faults(project);
    return nullptr;
  }
  opened_for.session->edit(file.path, file.text);
  auto cluster = compile_cluster(file.path, *project.project, &tree);
  opened_for.session->revert(file.path);
  return cluster;
}

std::shared_ptr<const workflow::LintedCluster> Checkout::lint(const ValuesFile& file) {
  workflow::Session& session = *opened(Purpose::Lint).session;
  const auto stop = session.load_rules({});
  if (!stop) session.load_schemas();
  workflow::OpenProject& project = session.open();
  if (stop || project.sink.failed()) {
    keep_faults(project);
    return nullptr;
  }
  session.edit(file.path, file.text);
  auto linted = session.lint(std::span(&file.path, 1), 1).front();
  session.revert(file.path);
  return linted;
}

}  // namespace capwright::portal
