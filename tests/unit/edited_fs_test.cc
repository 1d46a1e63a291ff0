// Edited files: calls that return the edited text, and calls that read the real file.
#include "source/edited_fs.h"

#include <catch2/catch.hpp>
#include <cerrno>

#include "source/memory_fs.h"

using namespace capwright;

namespace {

constexpr std::uint64_t kMost = 100;

std::string read(FileSystem& fs, PathAt path) {
  std::string text;
  const IoError error = fs.read(path, text, kMost);
  return error ? describe(error) : text;
}

}  // namespace

TEST_CASE("An edited text is used for every spelling of its path") {
  MemoryFs files;
  REQUIRE_FALSE(make_dirs(files, "values"));
  REQUIRE_FALSE(files.create("values/a.yaml", "saved", kFileMode));
  EditedFs fs(files, "/repo");
  CHECK(read(fs, "values/a.yaml") == "saved");
  fs.edit("values/a.yaml", "edited");
  for (const char* path : {"values/a.yaml", "./values/a.yaml", "values/../values//a.yaml", "/repo/values/a.yaml"})
    CHECK(read(fs, path) == "edited");
  CHECK(read(files, "values/a.yaml") == "saved");
}

TEST_CASE("An edited file need not exist, and has the size of its text") {
  MemoryFs files;
  EditedFs fs(files, "/repo/below");
  fs.edit("../new.yaml", "12345");
  FileStat stat;
  REQUIRE_FALSE(fs.stat("/repo/new.yaml", stat));
  CHECK(stat.type == FileType::Regular);
  CHECK(stat.size == 5);
  CHECK(fs.stat("other.yaml", stat).code == ENOENT);
  std::string text;
  CHECK(fs.read("../new.yaml", text, 4).code == EFBIG);
}

TEST_CASE("Below an open directory files are unchanged") {
  MemoryFs files;
  REQUIRE_FALSE(make_dirs(files, "clusters"));
  REQUIRE_FALSE(files.create("clusters/a.yaml", "rendered", kFileMode));
  EditedFs fs(files, "/repo");
  fs.edit("clusters/a.yaml", "edited");
  Dir dir;
  REQUIRE_FALSE(dir.open(fs, "clusters"));
  CHECK(read(fs, dir / "a.yaml") == "rendered");
  CHECK(read(fs, "clusters/a.yaml") == "edited");
}
