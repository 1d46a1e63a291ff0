// Reads files into sources. A file that is too large is an input error; all other failures are I/O errors.
#include "pipeline/read_source.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "diag/catalog/limits.h"
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

// Adds a read file to the sources under its shown path; reports a failure.
std::optional<FileId> take(Attempt attempt, const std::string& shown, FileSystem& fs, Span asked_at, Stage& stage) {
  if (!attempt.error) return stage.sources.add(shown, std::move(attempt.text));
  if (attempt.error.code != EFBIG) {
    report_io_fault(stage.sink, IoTask::Read, shown, attempt.error, asked_at);
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
