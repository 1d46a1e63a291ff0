// Lookup by path; the table is sorted.
#include "pipeline/built_in.h"

#include <algorithm>

#include "base/check.h"
#include "embedded/embedded.h"

namespace capwright {

std::string_view built_in_text(std::string_view path) {
  const auto files = embedded::files();
  const auto found =
      std::lower_bound(files.begin(), files.end(), path,
                       [](const embedded::File& file, std::string_view wanted) { return file.path < wanted; });
  CW_CHECK(found != files.end() && found->path == path, "a file that the program relies on is built in");
  return found->text;
}

}  // namespace capwright
