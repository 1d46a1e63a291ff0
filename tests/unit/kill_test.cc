// Kills a process that writes a cluster before each of its system calls: the disk has either the old or the new
// cluster, and the next run succeeds.
#include <catch2/catch.hpp>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "files/write.h"
#include "rendered_text.h"
#include "scratch_folder.h"
#include "source/real_fs.h"

namespace capwright {
namespace {

// The real file system; the process is killed before call number `n`.
class DeadlyFs final : public FileSystem {
 public:
  DeadlyFs(int n, bool can_exchange) : left_(n), can_exchange_(can_exchange) {}

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override {
    return count(), real_.read(file, bytes, max_bytes);
  }
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override {
    return count(), real_.list(directory, entries);
  }
  IoError stat(PathAt path, FileStat& stat) override { return count(), real_.stat(path, stat); }
  IoError open_dir(PathAt directory, DirId& opened) override { return count(), real_.open_dir(directory, opened); }
  void close_dir(DirId opened) override { real_.close_dir(opened); }
  IoError lock(DirId opened) override { return count(), real_.lock(opened); }
  IoError make_dir(PathAt directory, std::uint32_t mode) override { return count(), real_.make_dir(directory, mode); }
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override {
    if (--left_ < 0) {  // killed halfway through the file
      static_cast<void>(real_.create(file, bytes.substr(0, bytes.size() / 2), mode));
      ::raise(SIGKILL);
    }
    return real_.create(file, bytes, mode);
  }
  IoError link(PathAt existing, PathAt added) override { return count(), real_.link(existing, added); }
  IoError rename(PathAt from, PathAt to) override { return count(), real_.rename(from, to); }
  IoError exchange(PathAt one, PathAt other) override {
    count();
    return can_exchange_ ? real_.exchange(one, other) : IoError{EINVAL};
  }
  IoError remove(PathAt file) override { return count(), real_.remove(file); }
  IoError remove_dir(PathAt directory) override { return count(), real_.remove_dir(directory); }

 private:
  void count() {
    if (--left_ < 0) ::raise(SIGKILL);
  }
  RealFs real_;
  int left_;
  bool can_exchange_;
};

using Files = std::vector<std::pair<std::string, std::string>>;
using Tree = std::map<std::string, std::string>;

const Files kOld{{"cluster.yaml", "a: 1\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"gone/y.yaml", "y: 1\n"}};
const Files kNew{{"cluster.yaml", "a: 2\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"addons/z/values.yaml", "z: 1\n"}};

bool write(FileSystem& fs, const std::string& folder, const Files& files) {
  Sink sink;
  OutputTree tree(fs, folder, "out");
  if (!tree.open(OutputTree::Access::Write, sink)) return false;
  const auto outcome = write_cluster(tree, test::rendered_files(files), {"1", "capo", "1", {}}, {}, sink).outcome;
  return outcome == WriteResult::Outcome::Written || outcome == WriteResult::Outcome::Unchanged;
}

bool opens(const std::string& folder) {
  RealFs fs;
  Sink sink;
  OutputTree tree(fs, folder, "out");
  return tree.open(OutputTree::Access::Write, sink);
}

Tree files_below(const std::string& folder) {
  Tree files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == kIndexName) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

// Returns whether the write finished before call number `n`.
bool write_and_die(const std::string& folder, int n, bool can_exchange) {
  const pid_t child = ::fork();
  if (child == 0) {
    DeadlyFs fs(n, can_exchange);
    write(fs, folder, kNew);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return !WIFSIGNALED(status);
}

void kill_everywhere(bool can_exchange) {
  const Tree before(kOld.begin(), kOld.end()), after(kNew.begin(), kNew.end());
  bool finished = false;
  for (int n = 0; !finished; ++n) {
    test::ScratchFolder scratch;
    RealFs fs;
    REQUIRE(write(fs, scratch.path(), kOld));
    finished = write_and_die(scratch.path(), n, can_exchange);
    INFO("killed before call " << n);
    const std::string cluster = scratch.path() + "/clusters/prod";
    if (!can_exchange) CHECK(opens(scratch.path()));  // completes the steps of a journal
    const Tree found = files_below(cluster);
    CHECK((found == before || found == after));
    CHECK(write(fs, scratch.path(), kNew));
    CHECK(files_below(cluster) == after);
    CHECK_FALSE(std::filesystem::exists(scratch.path() + "/clusters/.capwright-stage"));
  }
}

TEST_CASE("a killed process leaves the old or the new cluster") { kill_everywhere(true); }

TEST_CASE("if directories can't be exchanged, the next run finishes a killed one") { kill_everywhere(false); }

}  // namespace
}  // namespace capwright
