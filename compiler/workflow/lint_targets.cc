// A file in the folder of template sets belongs to a set. Any other file is a cluster's values if it is in a values
// folder, or if it is a map that has no kind and doesn't begin like an object.
#include "workflow/lint_targets.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <span>
#include <unordered_set>

#include "diag/catalog/tree.h"
#include "files/index.h"
#include "files/io_fault.h"
#include "files/path_rules.h"
#include "golden/cases.h"
#include "lint/engine/baseline.h"
#include "lint/facts/argocd_folder.h"
#include "lint/own/read_rules.h"
#include "pipeline/repository_bounds.h"
#include "workflow/loose_folders.h"
#include "workflow/shown_path.h"
#include "workflow/source_manifests.h"
#include "workflow/standard_input.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

constexpr int kDeepestFolder = 32;

bool is_template_name(std::string_view name) {
  constexpr std::array kEndings = {".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".gotmpl"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

bool has_line(std::string_view text, std::string_view begins_with) {
  return text.starts_with(begins_with) || text.find("\n" + std::string(begins_with)) != std::string_view::npos;
}

// Whether a line, or a key of JSON, says `kind`.
bool has_kind(std::string_view text) {
  return has_line(text, "kind:") || text.find("\"kind\"") != std::string_view::npos;
}

// The first of a text that is neither a comment nor a mark between documents; empty when there is nothing else.
std::string_view content(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(text.starts_with("---") ? 3 : 0, end);
    const std::size_t first = line.substr(0, line.find('\n')).find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return text;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// Whether a file that the user names can't be a cluster's values.
bool is_no_values(std::string_view text) {
  text = content(text);
  const bool is_list = text.starts_with("- ") || text.starts_with("[");
  if (is_list || text.find(':') == std::string_view::npos) return true;
  return (has_line(text, "apiVersion:") || has_line(text, "metadata:")) && !has_line(text, "cluster_name:");
}

// Whether a map at the top of a document has the keys of an object, however they are written: in brackets, in quotes,
// further to the right.
bool reads_as_manifest(std::string_view text, bool takes_any_values, const Limits& limits) {
  OwnStage own(limits);
  const ReadOptions as_manifest{ScalarRules::Kubernetes, TextSyntax::Yaml};
  const std::vector<YamlDocument> documents =
      read_yaml_documents(own.sources.add("manifest", std::string(text)), own.stage, as_manifest);
  return std::any_of(documents.begin(), documents.end(), [&](const YamlDocument& document) {
    const auto has = [&](std::string_view key) { return document.value.find(key) != nullptr; };
    if (!document.value.is(Kind::Map)) return false;
    return has("kind") || (!takes_any_values && (has("apiVersion") || has("metadata")) && !has("cluster_name"));
  });
}

void append_name(std::string& folder, std::string_view name) {
  if (!folder.empty() && !folder.ends_with('/')) folder += '/';
  folder += name;
}

// Where a walk is: a folder or file, to open it, and as it is shown.
struct Paths {
  std::string opened, shown;
};

// One step down, for as long as this lives.
class StepDown {
 public:
  StepDown(Paths& at, std::string_view name) : at_(at), opened_(at.opened.size()), shown_(at.shown.size()) {
    append_name(at.opened, name);
    append_name(at.shown, name);
  }
  ~StepDown() {
    at_.opened.resize(opened_);
    at_.shown.resize(shown_);
  }
  StepDown(const StepDown&) = delete;
  StepDown& operator=(const StepDown&) = delete;

 private:
  Paths& at_;
  std::size_t opened_, shown_;
};

class TargetFinder {
 public:
  TargetFinder(OpenProject& open, const TargetRequest& request)
      : open_(open), request_(request), paths_(open.project->workspace()) {}

  LintTargets find() {
    std::vector<std::string> clusters;
    for (const std::string& target : request_.targets) {
      if (target != "-") add(target, clusters);
      else if (request_.stdin_filename) add(*request_.stdin_filename, clusters);
      else add_standard_input();
    }
    targets_.all_clusters = needs_all_ || request_.targets.empty();
    if (needs_all_) clusters.clear();
    const bool has_none = clusters.empty() && !request_.targets.empty() && (!needs_all_ || has_no_values());
    if (!has_none) targets_.values = choose_clusters(open_, clusters);
    read_sources();
    if (request_.targets.empty() && request_.reads_unrendered) add_unrendered();
    look_for_siblings();
    return std::move(targets_);
  }

 private:
  void add(const std::string& target, std::vector<std::string>& clusters) {
    FileStat stat;
    const Workspace& workspace = open_.project->workspace();
    std::string shown = paths_.of(target);
    if (shown.ends_with('/')) shown.pop_back();
    const std::string path = shown == "." ? target : workspace.io_path(shown);
    if (open_.fs.stat(path, stat)) {
      if (!add_named_source(target)) clusters.push_back(target);
    } else if (is_for_all(shown)) needs_all_ = true;
    else if (stat.type != FileType::Directory && add_sources_of(shown, Sources::OfFiles)) return;
    else if (add_sets(shown)) return;
    else if (stat.type == FileType::Directory) add_folder(path, shown, clusters);
    else add_file(path, shown, clusters);
  }

  // Which sources a file selects: those that consist of it, or also those whose output is made from it.
  enum class Sources : std::uint8_t { OfFiles, All };

  bool add_sources_of(std::string_view shown, Sources which) {
    bool found = false;
    for (const ManifestSource& source : open_.project->config().sources) {
      if (!source.has(shown) || (source.is_command() && which == Sources::OfFiles)) continue;
      sources_.insert(&source);
      found = true;
    }
    return found;
  }
  bool add_named_source(std::string_view name) {
    const auto& all = open_.project->config().sources;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& source) { return source.name == name; });
    if (found != all.end()) sources_.insert(&*found);
    return found != all.end();
  }
  void read_sources() {
    std::vector<const ManifestSource*> wanted;
    for (const ManifestSource& source : open_.project->config().sources) {
      if (!request_.reads_sources || !request_.shard.has_name(source.name)) continue;
      if (targets_.all_clusters || sources_.contains(&source)) wanted.push_back(&source);
    }
    targets_.sources = read_manifest_sources(wanted, access_to_sources(open_), open_.sink);
  }

  void add_unrendered() {
    if (request_.shard.has_name(lint::kArgoCdFolder)) add_argocd_files();
    // Sources may be in `clusters/`, with parts that only their tools read.
    if (open_.project->config().sources.empty() && !open_.sink.failed()) add_loose_folders();
  }

  void add_loose_folders() {
    Sink reported;  // by those who write or compare the tree
    const std::string& output = open_.project->config().output;
    OutputTree tree(open_.fs, open_.output_folder(std::nullopt), output == "." ? "" : output + "/");
    if (is_among_values(tree.shown_path("clusters")) || !tree.open(OutputTree::Access::Read, reported)) return;
    for (const std::string& name : folders_without_values(tree, targets_.values, *open_.project))
      if (request_.shard.has_name(name)) add_loose_folder(tree.shown_path("clusters/" + name));
  }
  void add_loose_folder(const std::string& shown) {
    const std::size_t first = targets_.manifests.size(), notes = targets_.notes.size();
    std::vector<std::string> values;  // those of values folders are among the targets already
    add_folder(open_.project->workspace().io_path(shown), shown, values);
    if (!folder_has_files_) targets_.notes.resize(notes);
    const auto begin = targets_.manifests.begin() + static_cast<std::ptrdiff_t>(first);
    const std::string built =
        file_for_a_build(std::span(targets_.manifests).subspan(first), open_.fs, open_.project->workspace());
    if (built.empty()) return;
    targets_.notes.push_back(fmt::format("`{}` isn't linted, because it has `{}`; make it one of the `sources` in `{}`",
                                         shown, built.substr(shown.size() + 1), kConfigName));
    targets_.manifests.erase(begin, targets_.manifests.end());
  }

  // Applications and projects of the folder, as if it was named; other files there have other tools.
  void add_argocd_files() {
    const Workspace& workspace = open_.project->workspace();
    for (const std::string& shown : lint::find_argocd_files(open_.fs, workspace)) {
      std::string text;
      if (is_among_values(shown) || add_sources_of(shown, Sources::All)) continue;
      if (!read({workspace.io_path(shown), shown}, text) || !lint::is_for_argocd(text)) continue;
      targets_.manifests.push_back({shown, std::move(text)});
    }
  }

  void add_standard_input() {
    targets_.manifests.push_back(
        {"<stdin>", standard_input().read_all(open_.limits.input_bytes), lint::TargetKind::Named});
    if (const IoError error = standard_input().error()) report_io_fault(open_.sink, IoTask::Read, "<stdin>", error, {});
    else if (content(targets_.manifests.back().text).empty())
      targets_.notes.emplace_back("standard input contains no object");
  }

  // Whether the repository has only manifests: the configuration names no values folder, and the default is missing.
  bool has_no_values() const {
    const Config& config = open_.project->config();
    FileStat stat;
    return config.values == Config().values &&
           open_.fs.stat(open_.project->workspace().io_path(config.values[0]), stat);
  }

  // What capwright wrote, or reads itself: no manifests, whatever they begin with.
  bool is_own_file(const std::string& shown) {
    const std::string_view name = std::string_view(shown).substr(shown.rfind('/') + 1);
    return name == kIndexName || name == lint::kDefaultBaseline || shown == open_.project->config().lint.baseline;
  }
  bool is_rule_file(const std::string& shown) {
    if (!rule_files_) {
      Sink unasked;  // who reads the rules says what is wrong with them
      Stage stage{open_.sources, unasked, open_.arena, open_.origins, open_.limits};
      const Project& project = *open_.project;
      rule_files_ =
          lint::own::find_rule_files(open_.fs, project.workspace(), project.config().lint, stage, !open_.bounds);
    }
    return std::binary_search(rule_files_->begin(), rule_files_->end(), shown);
  }

  // A layer, or the configuration.
  bool is_for_all(std::string_view shown) const {
    const auto& layers = open_.project->config().layers;
    return shown == kConfigName ||
           std::any_of(layers.begin(), layers.end(), [&](const LayerRule& layer) { return layer.file == shown; });
  }

  void add_set(const TemplateSet* set) {
    if (std::find(targets_.sets.begin(), targets_.sets.end(), set) == targets_.sets.end()) targets_.sets.push_back(set);
  }

  // The sets that a folder or file of templates belongs to; what they have in common belongs to all. False when it is
  // of none.
  bool add_sets(std::string_view shown) {
    Project& project = *open_.project;
    const auto has = [&](const std::string& folder) { return !folder.empty() && is_in(shown, folder); };
    if (const auto& plain = project.plain_folder(); plain && (has(plain->folder) || shown == plain->schema)) {
      add_set(project.plain_set());
      return true;
    }
    const std::string& folder = project.config().templates;
    if (!has(folder)) return false;
    const std::string_view rest = shown.substr(std::min(folder.size() + 1, shown.size()));
    const std::string_view id = rest.substr(0, rest.find('/'));
    bool found = false;
    for (const std::string_view name : project.names_of_sets()) {
      const KnownSet* known = project.known_set(name);
      if (known == nullptr || known->built_in || known->id != name) continue;
      if (!id.empty() && id != "common" && id != known->id) continue;
      add_set(project.template_set(name));
      found = true;
    }
    return found;
  }

  bool is_among_values(std::string_view shown) const {
    const auto& folders = open_.project->config().values;
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return is_in(shown, folder); });
  }

  // The path of a file through no link and no `..`, so that it is known again by whatever name it is reached.
  std::string real_path(const std::string& path) { return real_path_of(open_.fs, path); }
  // False for what is there already.
  bool add_real(std::string real_path) { return real_paths_.insert(std::move(real_path)).second; }

  bool read(const Paths& path, std::string& text) {
    const IoError error = open_.fs.read(path.opened, text, open_.limits.input_bytes);
    if (error) report_io_fault(open_.sink, IoTask::Read, path.shown, error, {});
    return !error;
  }

  void add_file(const std::string& path, const std::string& shown, std::vector<std::string>& clusters) {
    std::string text;
    if (is_own_file(shown) || !add_real(real_path(path)) || !read({path, shown}, text)) return;
    if (is_rule_file(shown)) {
      needs_all_ = true;
      if (!has_line(text, "apiVersion:")) return;  // else a policy, which is a manifest, too
    }
    const bool takes_any_values = open_.project->plain_folder().has_value();
    if (is_among_values(shown)) {
      clusters.push_back(path);
    } else if (is_template_name(path)) {
      targets_.notes.push_back(
          fmt::format("`{}` is a template and can't be checked alone; name the files that it renders", shown));
    } else if (!takes_any_values && content(text).empty()) {
      targets_.notes.push_back(
          fmt::format("`{}` isn't a manifest, because it contains no object, and isn't in a values folder (`{}`)",
                      shown, fmt::join(open_.project->config().values, "`, `")));
    } else if (has_kind(text) || (!takes_any_values && is_no_values(text)) ||
               reads_as_manifest(text, takes_any_values, open_.limits)) {
      named_.push_back({targets_.manifests.size(), {path, shown}});
      targets_.manifests.push_back({shown, std::move(text), lint::TargetKind::Named});
    } else {
      clusters.push_back(path);
    }
  }

  void look_for_siblings() {
    if (named_.empty()) return;
    std::unordered_set<std::string_view> looked_at;
    for (const lint::Manifest& manifest : targets_.manifests) looked_at.insert(manifest.path);
    std::map<std::string, bool> folders;
    for (const auto& [number, path] : named_) {
      const auto [folder, is_new] = folders.try_emplace(path.opened.substr(0, path.opened.rfind('/') + 1), false);
      if (is_new)
        folder->second = has_others({folder->first, path.shown.substr(0, path.shown.rfind('/') + 1)}, looked_at);
      targets_.manifests[number].has_siblings = folder->second;
    }
  }
  // Whether a folder has objects in files that are not looked at.
  bool has_others(const Paths& folder, const std::unordered_set<std::string_view>& looked_at) {
    std::vector<DirEntry> entries;
    if (open_.fs.list(folder.opened.empty() ? "." : folder.opened, entries)) return false;
    return std::any_of(entries.begin(), entries.end(), [&](const DirEntry& entry) {
      std::string text;
      return entry.type == FileType::Regular && !entry.name.starts_with('.') && has_data_name(entry.name) &&
             !looked_at.contains(folder.shown + entry.name) &&
             !open_.fs.read(folder.opened + entry.name, text, open_.limits.input_bytes) && has_line(text, "kind:");
    });
  }

  void add_folder(const std::string& folder, const std::string& shown, std::vector<std::string>& clusters) {
    // Without a configuration, the purpose of a nested folder `values` is unknown: Helm repositories have them, too.
    folder_is_repository_ = open_.project->config().file != FileId::None || is_among_values(shown);
    folder_has_files_ = false;
    if (shown == ".") targets_.whole_folder = true;
    walked_ = {folder, shown == "." ? "" : shown};
    real_root_ = real_path(folder);
    if (real_root_.ends_with('/')) real_root_.pop_back();
    shown_root_ = walked_.shown;
    bounds_.reset();
    add_below(clusters, 0);
    if (folder_has_files_) return;
    targets_.notes.push_back(
        fmt::format("`{}` has nothing to check: no file in it ends in `.yaml`, `.yml` or `.json`", shown));
  }

  // The folder that is walked.
  void add_below(std::vector<std::string>& clusters, int depth) {
    std::vector<DirEntry> entries;
    if (depth > kDeepestFolder) return;
    const IoError error = open_.fs.list(walked_.opened, entries);
    if (error) report_io_fault(open_.sink, IoTask::Read, walked_.shown.empty() ? "." : walked_.shown, error, {});
    // Links last: what they lead to is known by its own name if it lies here, too.
    std::stable_partition(entries.begin(), entries.end(),
                          [](const DirEntry& entry) { return entry.type != FileType::Symlink; });
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      const bool is_folder = entry.type == FileType::Directory;
      if (!is_folder && !has_data_name(entry.name)) continue;
      const StepDown step(walked_, entry.name);
      // Cases repeat the objects of clusters; `capwright test` checks them.
      if (is_folder && folder_is_repository_ && walked_.shown == golden::kFolder) continue;
      if (is_folder) add_below(clusters, depth + 1);
      else add_walked_file(entry.type, clusters);
    }
  }

  void add_walked_file(FileType type, std::vector<std::string>& clusters) {
    folder_has_files_ = true;
    if (type == FileType::Symlink && leads_out(walked_.opened)) {
      targets_.notes.push_back(fmt::format(
          "`{}` is a link to a file outside the repository and isn't followed; name the file itself", walked_.shown));
      return;
    }
    if (is_special(type)) {
      targets_.notes.push_back(fmt::format("`{}` is a pipe, a socket or a device and can't be read", walked_.shown));
      return;
    }
    if (folder_is_repository_ && add_source(walked_, clusters)) return;
    if (add_sources_of(walked_.shown, Sources::All)) return;
    if (is_own_file(walked_.shown)) return;
    const bool is_rule = is_rule_file(walked_.shown);
    if (is_rule && folder_is_repository_) needs_all_ = true;
    std::string text;
    if (!is_new(type) || !read(walked_, text)) return;
    if (!is_rule || has_line(text, "apiVersion:")) targets_.manifests.push_back({walked_.shown, std::move(text)});
  }

  // Whether the walked file is a pipe, socket or device: reading a pipe blocks until a process writes to it.
  bool is_special(FileType type) {
    FileStat stat;
    const bool is_unknown = type == FileType::Symlink && !open_.fs.stat(walked_.opened, stat);
    return type == FileType::Other || (is_unknown && stat.type == FileType::Other);
  }

  // Of the file that is walked. Nearly always one folder is all that is named, and no link lies in it: nothing can be
  // there twice then, and none of thousands of paths is made.
  bool is_new(FileType type) {
    if (request_.targets.size() == 1 && real_paths_.empty()) {
      if (type == FileType::Regular) return true;
      for (const lint::Manifest& manifest : targets_.manifests) add_real(real_root_ + below_root(manifest.path));
    }
    return add_real(type == FileType::Regular ? real_root_ + below_root(walked_.shown) : real_path(walked_.opened));
  }
  // A proposed change could add a symbolic link that exposes files of the machine that runs lint, such as its
  // environment.
  bool leads_out(const std::string& link) {
    if (!bounds_) bounds_.emplace(open_.fs, real_root_);
    if (!workspace_) workspace_.emplace(open_.fs, open_.project->workspace().prefix);
    return !is_among_files(real_path(link), real_root_) && !bounds_->have(link) && !workspace_->have(link);
  }

  // The part of the path after the named folder, including the `/`.
  std::string below_root(const std::string& shown) const {
    return shown_root_.empty() ? "/" + shown : shown.substr(shown_root_.size());
  }

  // Of a folder that is the repository's, or a part of it: what clusters are rendered from.
  bool add_source(const Paths& path, std::vector<std::string>& clusters) {
    if (is_for_all(path.shown)) return needs_all_ = true;
    if (!is_among_values(path.shown)) return add_sets(path.shown);
    clusters.push_back(path.opened);
    return true;
  }

  OpenProject& open_;
  const TargetRequest& request_;
  ShownPaths paths_;
  LintTargets targets_;
  std::unordered_set<std::string> real_paths_;  // of what was added; see is_new()
  // Of the folder that was named last.
  Paths walked_;
  std::string shown_root_, real_root_;
  std::optional<RepositoryBounds> bounds_, workspace_;  // that it lies in, and of the project, once they are asked for
  bool folder_has_files_ = false, folder_is_repository_ = false;
  std::optional<std::vector<std::string>> rule_files_;
  std::unordered_set<const ManifestSource*> sources_;  // that are named, or have a file that is
  std::vector<std::pair<std::size_t, Paths>> named_;   // manifests that were named as files
  bool needs_all_ = false;                             // something is named that all clusters have
};

}  // namespace

LintTargets find_lint_targets(OpenProject& open, const TargetRequest& request) {
  LintTargets targets = TargetFinder(open, request).find();
  if (!request.targets.empty() || !open.project->config().sources.empty()) return targets;
  for (Diagnostic& fault : open.sink.diagnostics()) {
    if (fault.info == &diag::no_such_file.info)
      fault.note("use `.` as the target to check the manifests of this folder");
  }
  return targets;
}

std::vector<lint::ManifestGroup> take_groups(LintTargets& targets) {
  std::vector<lint::ManifestGroup> groups = std::move(targets.sources);
  for (lint::ManifestGroup& group : lint::group_manifests(std::move(targets.manifests)))
    groups.push_back(std::move(group));
  return groups;
}

std::optional<std::string> edited_file(const TargetRequest& request) {
  const bool reads_input = std::find(request.targets.begin(), request.targets.end(), "-") != request.targets.end();
  return reads_input ? request.stdin_filename : std::nullopt;
}

std::unique_ptr<CompiledCluster> cluster_without_values(const TemplateSet& set) {
  auto cluster = std::make_unique<CompiledCluster>();
  cluster->set = &set;
  cluster->sources.attach(set.sources);
  cluster->secrets.complete = true;
  return cluster;
}

}  // namespace capwright::workflow
