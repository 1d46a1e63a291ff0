// The built-in files are complete and sorted: the binary contains the files below templates/ and schemas/.
#include "embedded/embedded.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace capwright {
namespace {

std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Tests run in the build directory, which is inside the project.
std::filesystem::path project_root() {
  std::filesystem::path folder = std::filesystem::current_path();
  while (!exists(folder / "compiler" / "CMakeLists.txt") && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

// All of `templates`; of `schemas`, not the documentation and generators (the same rule as in compiler/CMakeLists.txt).
bool is_built_in(const std::filesystem::path& path) {
  const std::string text = path.string();
  const bool schema = text.find("/schemas/") != std::string::npos;
  return !schema || (text.find("/schemas/amended/") == std::string::npos && path.filename() != "README.md" &&
                     path.extension() != ".sh");
}

TEST_CASE("built-in files are sorted by path and have the bytes of the sources") {
  const auto files = embedded::files();
  CHECK(std::is_sorted(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; }));
  std::size_t on_disk = 0;
  for (const char* folder : {"templates", "schemas", "scaffold", "docs/examples/ci", "compiler/pages/page",
                             "compiler/preview/page", "compiler/wizard/page"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project_root() / folder)) {
      on_disk += entry.is_regular_file() && is_built_in(entry.path()) ? 1 : 0;
    }
  }
  CHECK(files.size() == on_disk);
  for (const embedded::File& file : files) {
    INFO(file.path);
    CHECK(file.text == file_bytes(project_root() / file.path));
  }
}

}  // namespace
}  // namespace capwright
