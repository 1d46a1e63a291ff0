// Converts an errno to a diagnostic.
#include "files/io_fault.h"

#include <cerrno>
#include <string>

#include "diag/catalog/tree.h"

namespace capwright {
namespace {

std::string_view done(IoTask task) {
  switch (task) {
    case IoTask::Read: return "read";
    case IoTask::List: return "listed";
    case IoTask::Write: return "written";
    case IoTask::Remove: return "removed";
  }
  return "";
}

}  // namespace

Diagnostic& report_io_fault(Sink& sink, IoTask task, std::string_view shown_path, IoError error, Span asked_at) {
  const std::string_view tried = done(task);
  switch (error.code) {
    case kOutOfBounds:
      return sink.report(diag::outside_of_repository, asked_at, shown_path)
          .advise("copy it into the repository; if you trust the change, `--allow-outside` uses it where it is");
    case ENXIO: return sink.report(diag::not_a_file, asked_at, shown_path);
    case ENOENT: return sink.report(diag::no_such_file, asked_at, shown_path);
    case EACCES:
    case EPERM: return sink.report(diag::permission_denied, asked_at, shown_path, tried);
    case EISDIR: return sink.report(diag::is_a_directory, asked_at, shown_path);
    case ENOTDIR: return sink.report(diag::not_a_directory, asked_at, shown_path, tried);
    case EROFS: return sink.report(diag::read_only_file_system, asked_at, shown_path, tried);
    case ENOSPC:
    case EDQUOT: return sink.report(diag::disk_full, asked_at, shown_path, tried, describe(error));
    case ELOOP:
      return sink.report(diag::symbolic_link, asked_at, shown_path, tried)
          .advise("replace the link with what it leads to");
    case ENAMETOOLONG: return sink.report(diag::name_too_long, asked_at, shown_path, tried);
    default: return sink.report(diag::io_failed, asked_at, shown_path, tried, describe(error));
  }
}

}  // namespace capwright
