// Before fixed texts are written, the files are compared with the texts that the fixes are based on.
#include "workflow/fixed_files.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "scratch_folder.h"
#include "source/memory_fs.h"
#include "source/real_fs.h"

namespace capwright::workflow {
namespace {

class Folder {
 public:
  FixedFile file(const std::string& name) const { return {name, path(name), "before", "after, and longer"}; }
  void write(const std::string& name, std::string_view text, std::uint32_t mode = kFileMode) {
    REQUIRE_FALSE(files_.create(path(name), text, mode));
  }
  std::string text(const std::string& name) {
    std::string text;
    return files_.read(path(name), text, 1000) ? "unreadable" : text;
  }
  std::size_t count() {
    std::vector<DirEntry> entries;
    REQUIRE_FALSE(files_.list(scratch_.path(), entries));
    return entries.size();
  }
  std::string fix(const std::vector<FixedFile>& files) { return write_fixed_files(files_, files); }

 private:
  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }
  test::ScratchFolder scratch_;
  RealFs files_;
};

TEST_CASE("fixed files have the new texts and keep their permissions") {
  Folder folder;
  folder.write("a", "before", kPrivateFileMode);
  folder.write("b", "before");
  CHECK(folder.fix({folder.file("a"), folder.file("b")}).empty());
  CHECK(folder.text("a") == "after, and longer");
  CHECK(folder.text("b") == "after, and longer");
  FileStat stat;
  REQUIRE_FALSE(RealFs().stat(folder.file("a").opened, stat));
  CHECK(stat.mode == kPrivateFileMode);
  CHECK(folder.count() == 2);
}

TEST_CASE("a file that can't be replaced is named, with the number of fixed files") {
  MemoryFs fs;
  std::vector<FixedFile> files;
  for (const std::string name : {"f/a", "f/b", "f/c"}) {
    fs.add(name, "before");
    files.push_back({name, name, "before", "after"});
  }
  fs.fail_on("rename b", EPERM);  // it is immutable, or a mount point
  CHECK(write_fixed_files(fs, files) ==
        "`f/b` can't be written: operation not permitted; fixed before it: 1 of 3 files");
  CHECK(fs.tree() == std::map<std::string, std::string>{{"f/a", "after"}, {"f/b", "before"}, {"f/c", "before"}});
}

TEST_CASE("a file that was saved since it was read is not overwritten, and no other file is fixed") {
  for (const std::string_view saved : {"befora", "before and more", "bef", ""}) {
    Folder folder;
    folder.write("a", "before");
    folder.write("b", saved);
    folder.write("c", "before");
    const std::string fault = folder.fix({folder.file("a"), folder.file("b"), folder.file("c")});
    CHECK(fault == "`b` changed during the run, so no file is fixed; run it again");
    CHECK(folder.text("a") == "before");
    CHECK(folder.text("b") == saved);
    CHECK(folder.text("c") == "before");
    CHECK(folder.count() == 3);
  }
}

TEST_CASE("a deleted file is not created again") {
  Folder folder;
  folder.write("a", "before");
  CHECK(folder.fix({folder.file("a"), folder.file("b")}) == "`b` can't be written: no such file or directory");
  CHECK(folder.text("a") == "before");
  CHECK(folder.count() == 1);
}

}  // namespace
}  // namespace capwright::workflow
