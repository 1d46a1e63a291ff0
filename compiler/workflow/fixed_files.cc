// Linting takes seconds in large repositories, and editors may save meanwhile: compares files with the texts read just
// before renaming.
#include "workflow/fixed_files.h"

#include <fmt/format.h>

#include "source/file_batch.h"
#include "source/real_fs.h"

namespace capwright::workflow {
namespace {

IoError add(const FixedFile& file, FileSystem& fs, FileBatch& batch) {
  std::string path = file.opened;
  if (const IoError error = follow_links(path)) return error;  // a rename would replace the link
  FileStat stat;
  if (const IoError error = fs.stat(path, stat)) return error;
  return batch.add(path, file.after, stat.mode);
}

std::string unwritten(std::string_view path, IoError error) {
  return fmt::format("`{}` can't be written: {}", path, describe(error));
}

}  // namespace

std::string write_fixed_files(FileSystem& fs, std::span<const FixedFile> files) {
  FileBatch batch(fs);
  for (const FixedFile& file : files) {
    if (const IoError error = add(file, fs, batch)) return unwritten(file.shown, error);
  }
  for (const FixedFile& file : files) {
    if (fs.holds(file.opened, file.before)) continue;
    return fmt::format("`{}` changed during the run, so no file is fixed; run it again", file.shown);
  }
  std::string failed;
  const IoError error = batch.put(failed);
  if (!error) return "";
  return fmt::format("{}; fixed before it: {} of {} files", unwritten(failed, error), files.size() - batch.waiting(),
                     files.size());
}

}  // namespace capwright::workflow
