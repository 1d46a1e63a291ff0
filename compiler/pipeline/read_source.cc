// Reads files into sources. A file that is too large is an input error; all other failures are I/O errors.
#include "pipeline/read_source.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog/limits.h"
#include "diag/suggest.h"
#include "files/io_fault.h"

namespace capwright {
namespace {

// The text of a file, or why it can't be read.
struct Attempt {
  std::string path;
  std::string text;
  IoError error;
};

Attempt read(FileSystem& fs, const Workspace& workspace, const std::string& shown, const Limits& limits) {
  Attempt attempt{workspace.io_path(shown), {}, {}};
  attempt.error = fs.read(attempt.path, attempt.text, limits.input_bytes);
  return attempt;
}

// Names the most similar file of the folder. Paths that leave the workspace aren't looked at, so that messages don't
// tell which files the machine has. Otherwise the file system refuses folders outside of the repository.
void name_similar(FileSystem& fs, const Attempt& attempt, const std::string& shown, Diagnostic& fault) {
  const std::filesystem::path path = std::filesystem::path(shown).lexically_normal();
  if (path.is_absolute() || path.empty() || *path.begin() == "..") return;
  std::string folder = std::filesystem::path(attempt.path).parent_path().string();
  if (folder.empty()) folder = ".";
  std::vector<DirEntry> entries;
  if (fs.list(folder, entries)) return;
  std::vector<std::string> files;
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Directory) files.push_back((path.parent_path() / entry.name).string());
  }
  std::sort(files.begin(), files.end());
  const std::vector<std::string_view> names(files.begin(), files.end());
  if (std::string hint = did_you_mean(shown, names); !hint.empty()) fault.advise(std::move(hint));
}

// Adds a read file to the sources under its shown path; reports a failure.
std::optional<FileId> take(Attempt attempt, const std::string& shown, FileSystem& fs, Span asked_at, Stage& stage) {
  if (!attempt.error) return stage.sources.add(shown, std::move(attempt.text));
  if (attempt.error.code != EFBIG) {
    Diagnostic& fault = report_io_fault(stage.sink, IoTask::Read, shown, attempt.error, asked_at);
    if (attempt.error.code == ENOENT) name_similar(fs, attempt, shown, fault);
    return std::nullopt;
  }
  FileStat stat;
  if (fs.stat(attempt.path, stat)) stat.size = 0;
  stat.size = std::max<std::uint64_t>(stat.size, attempt.text.size());  // a device reports no size
  const FileId file = stage.sources.add(shown, "");
  stage.sink.report(diag::input_too_large, {file, 0, 0}, stat.size, stage.limits.input_bytes);
  return std::nullopt;
}

}  // namespace

std::optional<FileId> read_source(FileSystem& fs, const Workspace& workspace, const std::string& shown, Span asked_at,
                                  Stage& stage) {
  return take(read(fs, workspace, shown, stage.limits), shown, fs, asked_at, stage);
}

std::optional<FileId> read_optional_source(FileSystem& fs, const Workspace& workspace, const std::string& shown,
                                           Span asked_at, Stage& stage) {
  Attempt attempt = read(fs, workspace, shown, stage.limits);
  if (attempt.error.code == ENOENT) return std::nullopt;
  return take(std::move(attempt), shown, fs, asked_at, stage);
}

}  // namespace capwright
