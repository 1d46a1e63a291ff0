// Checks the section's paths before any cluster is compiled, so that an error has one place instead of one per cluster.
#include "pipeline/own_templates.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "files/io_fault.h"
#include "pipeline/repository_bounds.h"

namespace capwright {
namespace {

class OwnTemplates {
 public:
  OwnTemplates(FileSystem& fs, const Workspace& workspace, const Value& section, Stage& stage)
      : fs_(fs), workspace_(workspace), section_(section), stage_(stage) {}

  std::optional<PlainFolder> read() {
    PlainFolder own{normal_path(section_.text_at("dir")), normal_path(section_.text_at("main")), std::nullopt, {}};
    if (section_.find("schema") != nullptr) own.schema = normal_path(section_.text_at("schema"));
    if (const Value* flags = section_.find("jinja")) {
      for (const Entry& flag : flags->entries()) {
        if (flag.value.as_bool()) own.jinja.emplace_back(flag.key.text());
      }
    }
    std::sort(own.jinja.begin(), own.jinja.end());  // their order in the file makes no difference
    const bool has_folder = check_folder(own.folder);
    const bool has_main = has_folder && check_main(own);
    const bool has_schema = !own.schema || check_schema(*own.schema);
    return has_main && has_schema ? std::optional(own) : std::nullopt;
  }

 private:
  Span place_of(std::string_view key) const { return stage_.span_of(*section_.find(key)); }

  bool check_folder(const std::string& folder) {
    std::vector<DirEntry> entries;
    const IoError error = fs_.list(workspace_.io_path(folder), entries);
    if (!error) return true;
    suggest(report_io_fault(stage_.sink, IoTask::List, folder, error, place_of("dir")), folder, error);
    return false;
  }

  bool check_schema(const std::string& schema) {
    std::string text;
    const IoError error = fs_.read(workspace_.io_path(schema), text, stage_.limits.input_bytes);
    if (!error) return true;
    suggest(report_io_fault(stage_.sink, IoTask::Read, schema, error, place_of("schema")), schema, error);
    return false;
  }

  // Includes and imports find templates by their path below the folder, so `main` can't leave it either.
  bool check_main(const PlainFolder& own) {
    std::vector<std::string> paths;
    list_below(own.folder, "", paths);
    if (std::find(paths.begin(), paths.end(), own.main) != paths.end()) return true;
    std::sort(paths.begin(), paths.end());
    const std::vector<std::string_view> names(paths.begin(), paths.end());
    const std::string meant = did_you_mean(own.main, names);
    Diagnostic& missing = stage_.sink.report(diag::missing_main_template, place_of("main"), own.main);
    if (!meant.empty()) missing.advise(meant);
    else missing.advise("known: " + list_names(names, 20));
    return false;
  }

  void list_below(const std::string& folder, const std::string& below, std::vector<std::string>& paths) {
    std::vector<DirEntry> entries;
    if (fs_.list(workspace_.io_path(folder + "/" + below), entries)) return;
    for (const DirEntry& entry : entries) {
      if (entry.type == FileType::Directory) list_below(folder, below + entry.name + "/", paths);
      else paths.push_back(below + entry.name);
    }
  }

  // Names the file or folder beside a missing one that was probably meant.
  void suggest(Diagnostic& diagnostic, const std::string& path, IoError error) {
    if (error.code != ENOENT) return;
    const std::size_t slash = path.rfind('/');
    const std::string above = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string io_path = workspace_.io_path(above);
    std::vector<DirEntry> entries;
    if (fs_.list(io_path.empty() ? "." : io_path, entries)) return;
    std::vector<std::string> paths;
    for (const DirEntry& entry : entries) paths.push_back(above + entry.name);
    std::sort(paths.begin(), paths.end());
    const std::string meant = did_you_mean(path, std::vector<std::string_view>(paths.begin(), paths.end()));
    if (!meant.empty()) diagnostic.advise(meant);
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  const Value& section_;
  Stage& stage_;
};

}  // namespace

std::optional<PlainFolder> read_own_templates(FileSystem& fs, const Workspace& workspace, const Value& section,
                                              Stage& stage) {
  return OwnTemplates(fs, workspace, section, stage).read();
}

std::optional<PlainFolder> chosen_templates(const std::optional<PlainFolder>& given,
                                            const std::optional<PlainFolder>& own) {
  if (!given) return own;
  if (!given->folder.empty()) return given;
  if (!own) return std::nullopt;
  PlainFolder chosen = *own;
  if (!given->main.empty()) chosen.main = given->main;
  if (given->schema) chosen.schema = given->schema;
  if (!given->jinja.empty()) chosen.jinja = given->jinja;
  return chosen;
}

}  // namespace capwright
