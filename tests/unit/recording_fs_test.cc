// Recorded calls: what was found, what was missing, and paths below open directories.
#include "source/recording_fs.h"

#include <catch2/catch.hpp>

#include "source/memory_fs.h"

using namespace capwright;

namespace {

using Paths = std::set<std::string>;

struct Recorded {
  MemoryFs files;
  RecordingFs fs{files};
  std::string text;
  FileStat stat;
  std::vector<DirEntry> entries;

  Recorded() {
    files.add("values/a.yaml", "a");
    files.add("values/b.yaml", "b");
    fs.start();
  }
};

}  // namespace

TEST_CASE("Files that were read, missing files and listed folders are recorded") {
  Recorded at;
  REQUIRE_FALSE(at.fs.read("values/./a.yaml", at.text, 100));
  REQUIRE_FALSE(at.fs.stat("values/b.yaml", at.stat));
  REQUIRE_FALSE(at.fs.list("values/", at.entries));
  CHECK(at.fs.read("values/c.yaml", at.text, 100));
  CHECK(at.fs.stat("layers", at.stat));
  CHECK(at.fs.list("templates", at.entries));
  const FileLog log = at.fs.take();
  CHECK(log.files == Paths{"values/a.yaml", "values/b.yaml"});
  CHECK(log.missing == Paths{"layers", "templates", "values/c.yaml"});
  CHECK(log.folders == Paths{"values"});
  CHECK(at.fs.take().files.empty());
}

TEST_CASE("A folder that is only looked for isn't an input, but one that is missing is") {
  Recorded at;
  REQUIRE_FALSE(at.fs.stat("values", at.stat));
  CHECK(at.fs.stat("clusters", at.stat));
  const FileLog log = at.fs.take();
  CHECK(log.files.empty());
  CHECK(log.folders.empty());
  CHECK(log.missing == Paths{"clusters"});
}

TEST_CASE("Paths below an open directory are recorded from the working directory") {
  Recorded at;
  Dir values;
  REQUIRE_FALSE(values.open(at.fs, "values"));
  REQUIRE_FALSE(at.fs.read(values / "a.yaml", at.text, 100));
  CHECK(at.fs.read(values / "index", at.text, 100));
  REQUIRE_FALSE(at.fs.list(values / ".", at.entries));
  const FileLog log = at.fs.take();
  CHECK(log.files == Paths{"values/a.yaml"});
  CHECK(log.missing == Paths{"values/index"});
  CHECK(log.folders == Paths{"values"});
}

TEST_CASE("A file that can't be read for another reason is an input, and comparing bytes reads") {
  Recorded at;
  at.files.fail_on("read a.yaml", EIO);
  CHECK(at.fs.read("values/a.yaml", at.text, 100));
  CHECK(at.fs.holds("values/b.yaml", "b"));
  CHECK(at.fs.take().files == Paths{"values/a.yaml", "values/b.yaml"});
}

TEST_CASE("Nothing is recorded before the start") {
  MemoryFs files;
  RecordingFs fs(files);
  std::string text;
  CHECK(fs.read("a", text, 1));
  fs.start();
  CHECK(fs.take().missing.empty());
}
