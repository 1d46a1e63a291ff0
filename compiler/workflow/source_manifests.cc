// A command may print nothing: an overlay may have no objects.
#include "workflow/source_manifests.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "diag/catalog/repository.h"
#include "files/io_fault.h"
#include "files/path_rules.h"
#include "lint/model/command_output.h"
#include "pipeline/config.h"
#include "pipeline/parallel.h"

namespace capwright::workflow {
namespace {

constexpr int kDeepestInput = 32;
constexpr std::size_t kMostNotes = 12;

bool is_input(std::string_view path) {
  return has_data_name(path) || path.ends_with(".tpl") || path.ends_with("Kustomization");
}

// The files of a folder and its subfolders. Links to folders aren't followed.
class Walk {
 public:
  using Wants = bool(std::string_view path);
  Walk(const SourceAccess& access, Wants* wants, Span asked_at, Sink& sink)
      : access_(access), wants_(wants), asked_at_(asked_at), sink_(sink) {}

  // A file that is named itself may have any name.
  void add(const std::string& path) {
    FileStat stat;
    if (const IoError error = access_.fs.stat(access_.workspace.io_path(path), stat)) {
      report_io_fault(sink_, IoTask::Read, path, error, asked_at_);
    } else if (stat.type == FileType::Directory) {
      add_below(path, 0);
    } else {
      read(path);
    }
  }

  std::vector<lint::CommandOutput::Input> take() {
    std::sort(files_.begin(), files_.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return std::move(files_);
  }

 private:
  void add_below(const std::string& folder, int depth) {
    std::vector<DirEntry> entries;
    const std::string opened = access_.workspace.io_path(folder == "." ? "" : folder);
    if (const IoError error = access_.fs.list(opened.empty() ? "." : opened, entries))
      report_io_fault(sink_, IoTask::List, folder, error, asked_at_);
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      const std::string path = folder == "." ? entry.name : folder + "/" + entry.name;
      if (entry.type == FileType::Directory && depth < kDeepestInput) add_below(path, depth + 1);
      else if (wants_(path) && is_file(entry.type, path)) read(path);
    }
  }

  bool is_file(FileType type, const std::string& path) const {
    FileStat stat;
    if (type != FileType::Symlink) return type == FileType::Regular;
    return access_.fs.stat(access_.workspace.io_path(path), stat) || stat.type == FileType::Regular;
  }

  void read(const std::string& path) {
    if (path == kConfigName || !known_.insert(path).second) return;
    std::string text;
    const IoError error = access_.fs.read(access_.workspace.io_path(path), text, access_.limits.input_bytes);
    if (error) report_io_fault(sink_, IoTask::Read, path, error, asked_at_);
    else files_.push_back({path, std::move(text)});
  }

  const SourceAccess& access_;
  Wants* wants_;
  Span asked_at_;
  Sink& sink_;
  std::set<std::string> known_;
  std::vector<lint::CommandOutput::Input> files_;
};

void report_failure(const ManifestSource& source, const ProgramEnd& end, const ProgramRun& run, Sink& sink) {
  const bool is_missing = end.how == ProgramEnd::How::NotFound;
  Diagnostic& failed = sink.report(diag::source_failed, source.where, source.name, shown_command(source),
                                   is_missing ? std::string("isn't installed") : describe(end, run));
  if (is_missing) failed.advise(fmt::format("install `{}` in a folder of PATH", run.program));
  std::string_view rest = end.errors;
  for (std::size_t count = 0; !rest.empty() && count <= kMostNotes;) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    failed.note(++count > kMostNotes ? std::string("…") : fmt::format("{}: {}", run.program, line));
  }
}

lint::ManifestGroup run_command(const ManifestSource& source, const SourceAccess& access, Sink& sink) {
  lint::ManifestGroup group{source.name, {}, lint::CommandOutput()};
  if (access.programs == nullptr) {
    sink.report(diag::source_not_run, source.where, source.name)
        .advise(fmt::format("add `--run-sources` to run `{}`, if you trust the change", shown_command(source)));
    return group;
  }
  Walk inputs(access, is_input, source.where, sink);
  for (const std::string& input : source.inputs) inputs.add(input);
  ProgramRun run;
  run.program = source.command.front();
  run.arguments.assign(source.command.begin() + 1, source.command.end());
  run.folder = access.folder;
  run.most_output = std::min<std::uint64_t>(access.limits.program_output_bytes, access.limits.input_bytes);
  run.most_milliseconds = source.seconds * 1000;
  ProgramEnd end = access.programs->run(run);
  if (!end.succeeded()) {
    report_failure(source, end, run, sink);
    return group;
  }
  group.manifests.push_back({lint::output_path(source.name), std::move(end.output), lint::TargetKind::Named});
  lint::CommandOutput& output = *group.output;
  output.shown = shown_command(source);
  output.command = source.command;
  output.inputs = inputs.take();
  output.by_markers = source.maps_markers;
  output.by_search = source.maps_fields;
  return group;
}

}  // namespace

SourceAccess access_to_sources(OpenProject& open) {
  const Workspace& workspace = open.project->workspace();
  return {open.fs, workspace, open.runs_sources ? &open.programs : nullptr, workspace.prefix, open.limits};
}

lint::ManifestGroup read_manifest_source(const ManifestSource& source, const SourceAccess& access, Sink& sink) {
  if (source.is_command()) return run_command(source, access, sink);
  lint::ManifestGroup group{source.name, {}, std::nullopt};
  Walk files(access, has_data_name, source.where, sink);
  files.add(source.path);
  for (auto& [path, text] : files.take()) group.manifests.push_back({path, std::move(text)});
  return group;
}

std::vector<lint::ManifestGroup> read_manifest_sources(std::span<const ManifestSource* const> sources,
                                                       const SourceAccess& access, Sink& sink) {
  std::vector<lint::ManifestGroup> groups(sources.size());
  std::vector<Sink> faults(sources.size());
  parallel_for(sources.size(), 0,
               [&](std::size_t i) { groups[i] = read_manifest_source(*sources[i], access, faults[i]); });
  for (const Sink& each : faults) {
    for (const Diagnostic& fault : each.diagnostics()) {
      Diagnostic& added = sink.add(*fault.info, fault.where, fault.message);
      added.notes = fault.notes;
      added.help = fault.help;
    }
  }
  return groups;
}

}  // namespace capwright::workflow
