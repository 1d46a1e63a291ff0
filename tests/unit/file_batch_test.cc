// Replacing files together: all of them, or none if the disk is full.
#include "source/file_batch.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <map>
#include <string>

#include "source/memory_fs.h"

namespace capwright {
namespace {

using Tree = std::map<std::string, std::string>;
const Tree kOldBatch = {{"a/list", "old list"}, {"a/one", "old one"}};
const Tree kNewBatch = {{"a/list", "new list"}, {"a/one", "new one"}, {"a/two", "new two"}};

std::string write_all(FileSystem& fs) {
  FileBatch batch(fs);
  for (const auto& [path, text] : {std::pair("a/one", "new one"), {"a/two", "new two"}, {"a/list", "new list"}}) {
    if (batch.add(path, text)) return path;
  }
  std::string failed;
  return batch.put(failed) ? failed : "";
}

void add_old(MemoryFs& fs) {
  for (const auto& [path, text] : kOldBatch) fs.add(path, text);
}

TEST_CASE("files are replaced together, also over the remains of a killed run") {
  MemoryFs fs;
  add_old(fs);
  fs.add("a/two.capwright-new", "left");
  CHECK(write_all(fs).empty());
  CHECK(fs.tree() == kNewBatch);
}

TEST_CASE("if one text doesn't fit on the disk, no file is replaced and no temporary file is left") {
  for (const std::string name : {"one", "two", "list"}) {
    MemoryFs fs;
    add_old(fs);
    fs.fail_on("create " + name + ".capwright-new", ENOSPC);
    CHECK(write_all(fs) == "a/" + name);
    CHECK(fs.tree() == kOldBatch);
  }
}

TEST_CASE("a file that can't be replaced, and those after it, stay unchanged") {
  MemoryFs fs;
  add_old(fs);
  fs.fail_on("rename list", EIO);
  CHECK(write_all(fs) == "a/list");
  CHECK(fs.tree() == Tree{{"a/list", "old list"}, {"a/one", "new one"}, {"a/two", "new two"}});
}

TEST_CASE("a directory with a file's name is found before any file is replaced") {
  MemoryFs fs;
  fs.add("a/one", "old one");
  fs.add_dir("a/list");
  CHECK(write_all(fs) == "a/list");
  CHECK(fs.tree() == Tree{{"a/list", "/"}, {"a/one", "old one"}});
}

}  // namespace
}  // namespace capwright
