// The spelling of a path shows what the user means; only its real path shows where it leads.
#include <filesystem>
#include <fmt/format.h>

#include "pipeline/repository_bounds.h"
#include "source/real_fs.h"
#include "workflow/shown_path.h"

namespace capwright::workflow {

std::optional<std::string> why_not_written(const RepositoryOptions& repository, const std::string& path) {
  std::error_code failed;
  const std::string here = std::filesystem::current_path(failed).string();
  if (repository.allow_outside || failed) return std::nullopt;
  RealFs files;
  const RepositoryBounds bounds(files, ".");
  if (!bounds.is_led_outside(here, path)) return std::nullopt;
  return fmt::format(
      "error[G034]: `{}` points outside the repository\nhelp: remove the symbolic link, or write to a path that is "
      "outside of the repository as it is spelled",
      path);
}

}  // namespace capwright::workflow
