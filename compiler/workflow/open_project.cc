// Converts command-line options to a Project.
#include "workflow/open_project.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "diag/catalog/limits.h"
#include "diag/catalog/tree.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "files/io_fault.h"
#include "pipeline/fleet_names.h"
#include "pipeline/own_addons.h"
#include "secrets/manifest_text.h"
#include "workflow/git_history.h"
#include "workflow/shown_path.h"
#include "workflow/standard_input.h"

namespace capwright::workflow {
namespace {

// The nearest folder with a configuration that has the path, below the working directory; empty: there is none. The
// path may end in a line, as in `FILE:12`.
std::filesystem::path repository_of(FileSystem& fs, const std::string& word) {
  std::filesystem::path path = std::filesystem::path(word.substr(0, word.find(':'))).lexically_normal();
  FileStat stat;
  if (path.empty() || word.starts_with('-') || path.is_absolute() || *path.begin() == ".." ||
      fs.stat(path.string(), stat))
    return {};
  if (stat.type != FileType::Directory || !path.has_filename()) path = path.parent_path();
  for (; !path.empty(); path = path.parent_path()) {
    if (fs.exists((path / kConfigName).string())) {
      // A change can put a link there, which leads to another repository.
      const bool is_below = is_in(real_path_of(fs, path.string()), real_path_of(fs, "."));
      return is_below ? path : std::filesystem::path();
    }
    if (fs.exists((path / ".git").string())) break;
  }
  return {};
}

// The folder of the configuration: of the option, at or above the working directory, or above the named files if these
// agree, as those that a hook at the top of a monorepo passes.
std::filesystem::path repository_for(FileSystem& fs, const RepositoryOptions& options) {
  if (options.config) return std::filesystem::path(*options.config).parent_path();
  std::filesystem::path found;
  for (const std::string& word : options.words) {
    const std::filesystem::path folder = repository_of(fs, word);
    if (!folder.empty() && !found.empty() && folder != found) return {};
    if (!folder.empty()) found = folder;
  }
  return found;
}

Workspace workspace_for(FileSystem& fs, const RepositoryOptions& options, const std::string& here) {
  std::error_code no_directory;
  if (options.isolated || here.empty()) return {};
  if (!options.config) {
    const Workspace found = find_workspace(fs, here);
    if (fs.exists(found.prefix + std::string(kConfigName))) return found;
  }
  const std::filesystem::path folder = repository_for(fs, options);
  if (folder.empty()) return {};
  const std::string below = std::filesystem::relative(here, folder, no_directory).string();
  return {folder.string() + "/", no_directory || below == "." ? "" : below + "/"};
}

// All of it, or slightly more than `most`.
std::string read_standard_input(std::size_t most) {
  std::string text;
  char buffer[16 * 1024];
  while (text.size() <= most) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, stdin);
    if (count == 0) break;
    text.append(buffer, count);
  }
  return text;
}

// Adds values files under the names that layers use. Reads standard input once, for all clusters.
void add_files(const std::vector<std::string>& files, const Workspace& workspace, Stage& stage, ExtraValues& extra) {
  for (const std::string& file : files) {
    if (file != "-") {
      extra.files.push_back(shown_path(workspace, file));
      continue;
    }
    if (extra.standard_input.empty()) extra.standard_input = read_standard_input(stage.limits.input_bytes);
    if (extra.standard_input.size() > stage.limits.input_bytes) {
      const FileId input = stage.sources.add(std::string(kStandardInput), "");
      stage.sink.report(diag::input_too_large, {input, 0, 0}, extra.standard_input.size(), stage.limits.input_bytes);
    }
    extra.files.emplace_back(kStandardInput);
  }
}

ProjectOptions project_options(const Workspace& workspace, const OpenRequest& request) {
  ProjectOptions options;
  options.ci = is_switched_on("CI");
  if (const char* vault = std::getenv("VAULT_ADDR")) options.vault_address = vault;
  for (const ValueOptions::Set& set : request.values.sets)
    options.extra.sets.push_back({set.assignment, set.as_string});
  if (request.plain) {
    PlainFolder folder{{}, request.plain->main, std::nullopt, request.plain->jinja};
    if (!request.plain->folder.empty()) folder.folder = shown_path(workspace, request.plain->folder);
    if (request.plain->schema) folder.schema = shown_path(workspace, *request.plain->schema);
    options.plain = folder;
  }
  return options;
}

void keep_inside(OpenProject& open, const Workspace& workspace, const std::vector<std::string>& words) {
  open.bounds.emplace(open.files, workspace.prefix);
  for (const std::string& word : words) open.bounds->add_word(open.here, word);
  open.inside.keep_to(*open.bounds, open.here);
}

// Options that change `template` need it.
void check_plain_options(const PlainTemplates& given, const Config& config, Sink& sink) {
  if (!given.folder.empty() || config.own_templates) return;
  const char* option = given.schema ? "--schema" : "--jinja";
  if (!given.main.empty()) option = "--main";
  sink.report(diag::no_template_folder, Span(), option)
      .advise("pass `--template-dir DIR --main FILE`, or add `template: {dir: DIR, main: FILE}` to capwright.yaml");
}

bool is_file(FileSystem& fs, const std::string& path) {
  FileStat stat;
  return !fs.stat(path, stat) && stat.type != FileType::Directory;
}

}  // namespace

bool is_switched_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "false";
}

std::string folder_in_git(const RepositoryOptions& options) {
  std::error_code no_directory;
  const std::string here = std::filesystem::current_path(no_directory).string();
  if (options.isolated || no_directory) return "";
  RealFs fs;
  const std::string prefix = workspace_for(fs, options, here).prefix;
  return capwright::folder_in_git(fs, prefix.empty() ? "." : prefix);
}

std::string OpenProject::folder_in_git() {
  const std::string& prefix = project->workspace().prefix;
  return capwright::folder_in_git(files, prefix.empty() ? "." : prefix);
}

std::string OpenProject::output_folder(const std::optional<std::string>& given) const {
  if (given) return *given;
  const std::string folder = project->workspace().io_path(project->config().output);
  return folder.empty() ? "." : folder;
}

std::unique_ptr<OpenProject> open_project(const OpenRequest& request) {
  std::error_code no_directory;
  const std::string here = std::filesystem::current_path(no_directory).string();
  auto open = std::make_unique<OpenProject>(here);
  if (request.records_files) open->recorded.start();
  const RepositoryOptions& common = request.repository;
  open->progress = common.progress;
  open->runs_sources = common.run_sources;
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  const Workspace workspace = workspace_for(open->fs, common, here);
  if (!common.allow_outside) keep_inside(*open, workspace, common.words);
  if (request.edits != nullptr) {
    for (const auto& [path, text] : *request.edits) open->fs.edit(workspace.io_path(path), text);
  }
  if (request.edited_file && !standard_input().is_longer_than(open->limits.input_bytes))
    open->fs.edit(workspace.io_path(shown_path(workspace, *request.edited_file)),
                  standard_input().read_all(open->limits.input_bytes));
  if (const IoError error = standard_input().error()) report_io_fault(open->sink, IoTask::Read, "<stdin>", error);
  Config config;
  if (!common.isolated) {
    const std::string name =
        common.config ? std::filesystem::path(*common.config).filename().string() : std::string(kConfigName);
    const bool wanted = common.config.has_value() || is_file(open->fs, workspace.io_path(name));
    if (wanted) config = read_config(open->fs, workspace, name, embedded::version(), stage);
  }
  const bool is_plain = config.own_templates || (request.plain && request.plain->is_given());
  if (!common.isolated && !is_plain)
    config.catalogue.own_addons = read_own_addons(open->fs, workspace, config.catalogue, stage);
  if (request.plain) check_plain_options(*request.plain, config, open->sink);
  if (open->sink.failed()) return open;
  ProjectOptions options = project_options(workspace, request);
  add_files(request.values.files, workspace, stage, options.extra);
  if (open->sink.failed()) return open;
  options.templated_addon = request.templated_addon;
  options.upgrade_set = request.upgrade_set;
  options.force = request.force;
  options.forget_removed = request.forget_removed;
  options.programs = &open->programs;
  options.encrypts = request.encrypts;
  options.reencrypt = request.reencrypt;
  options.keeps_manifests = request.keeps_manifests;
  if (request.writes) {
    const std::string folder = request.output ? *request.output : workspace.io_path(config.output);
    options.inside_work_tree = inside_work_tree(open->fs, folder);
  }
  open->project = std::make_unique<Project>(open->fs, workspace, std::move(config), std::move(options));
  return open;
}

// Secrets in values files and layers that were read as files, without a schema, as `fmt` does. Loads all template sets.
static std::vector<Span> secrets_in_files(OpenProject& open) {
  const auto is_in_values = [&](const Diagnostic& each) {
    return each.where.known() && open.sources.path(each.where.file) != kConfigName;
  };
  const std::vector<Diagnostic>& all = open.sink.diagnostics();
  if (open.project == nullptr || std::none_of(all.begin(), all.end(), is_in_values)) return {};
  std::vector<Span> found = unread_secrets(open.sources, open.project->secret_names());
  std::erase_if(found, [&](const Span& span) { return open.sources.path(span.file) == kConfigName; });
  return found;
}

// A file of the repository, or one that is passed by mistake, may be a manifest with Secrets.
static secrets::Redactor redactor_of(OpenProject& open) {
  secrets::Redactor redactor;
  redactor.places = secrets::unread_manifest_secrets(open.sources);
  const std::vector<Span> in_files = secrets_in_files(open);
  redactor.places.insert(redactor.places.end(), in_files.begin(), in_files.end());
  redactor.unread = redactor.places;
  return redactor;
}

void add_own_findings(OpenProject& open, report::Findings& findings) {
  findings.add(open.sink.diagnostics(), open.sources, redactor_of(open), "");
}

void add_project_findings(OpenProject& open, report::Findings& findings) {
  add_own_findings(open, findings);
  if (open.project == nullptr) return;
  findings.add(open.project->sink().diagnostics(), open.sources, redactor_of(open), "");
  for (const TemplateSet* set : open.project->sets_with_findings())
    findings.add(set->sink.diagnostics(), set->sources, {}, "");
}

// For a name that neither a values file nor a cluster has.
static std::string advice_for_name(std::string_view name, const std::vector<std::string>& files, OpenProject& open) {
  std::vector<std::string_view> known;
  for (const std::string& path : files) known.push_back(cluster_stem(path));
  for (const NamedCluster& cluster : named_clusters(*open.project)) {
    if (cluster.name != cluster_stem(cluster.values_path)) known.push_back(cluster.name);
  }
  for (const ManifestSource& source : open.project->config().sources) known.push_back(source.name);
  const std::string meant = did_you_mean(name, known);
  if (!meant.empty()) return meant;
  return known.empty() ? "no values file found" : "known: " + list_names(known, 20);
}

std::vector<std::string> choose_clusters(OpenProject& open, const std::vector<std::string>& targets) {
  const Project& project = *open.project;
  const Workspace& workspace = project.workspace();
  std::vector<std::string> chosen;
  std::vector<std::string> all;
  const bool only_files =
      std::all_of(targets.begin(), targets.end(), [&](const auto& t) { return is_file(open.fs, t); });
  if (targets.empty()) return find_values_files(open.fs, workspace, project.config(), open.sink);
  Sink ignored;  // a user who names a target doesn't need the errors of others
  if (!only_files) all = find_values_files(open.fs, workspace, project.config(), ignored);
  ShownPaths paths(workspace);
  for (const std::string& target : targets) {
    if (only_files || is_file(open.fs, target)) {
      if (open.bounds) open.bounds->add_work_tree_of(open.here, target);
      chosen.push_back(paths.of(target));
      continue;
    }
    std::vector<std::string> files = values_files_named(target, all, *open.project);
    if (files.empty())
      open.sink.report(diag::no_such_cluster, Span(), target).advise(advice_for_name(target, all, open));
    std::move(files.begin(), files.end(), std::back_inserter(chosen));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace capwright::workflow
