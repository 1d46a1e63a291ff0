// Files become sources here; what is too large is a finding about the input, everything else one about the world.
#include "pipeline/read_source.h"

#include <cerrno>
#include <utility>

#include "diag/catalog.h"
#include "files/io_fault.h"

namespace capwright {
namespace {

std::optional<FileId> read(FileSystem& fs, const Workspace& workspace, const std::string& shown, Span asked_at,
                           bool optional, Stage& stage) {
  std::string text;
  const std::string path = workspace.io_path(shown);
  const IoError error = fs.read(path, text, stage.limits.input_bytes);
  if (!error) return stage.sources.add(shown, std::move(text));
  if (optional && error.code == ENOENT) return std::nullopt;
  if (error.code != EFBIG) {
    report_io_fault(stage.sink, IoTask::Read, shown, error, asked_at);
    return std::nullopt;
  }
  FileStat stat;
  if (fs.stat(path, stat)) stat.size = text.size();
  const FileId file = stage.sources.add(shown, "");
  stage.sink.report(diag::input_too_large, {file, 0, 0}, stat.size, stage.limits.input_bytes);
  return std::nullopt;
}

}  // namespace

std::optional<FileId> read_source(FileSystem& fs, const Workspace& workspace, const std::string& shown, Span asked_at,
                                  Stage& stage) {
  return read(fs, workspace, shown, asked_at, false, stage);
}

std::optional<FileId> read_optional_source(FileSystem& fs, const Workspace& workspace, const std::string& shown,
                                           Span asked_at, Stage& stage) {
  return read(fs, workspace, shown, asked_at, true, stage);
}

}  // namespace capwright
