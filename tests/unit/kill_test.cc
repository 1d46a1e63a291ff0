// Kills a process that writes a cluster before each of its system calls: the disk has either the old or the new
// cluster, and the next run succeeds.
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <signal.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/output_tree.h"
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
    count();
    return real_.read(file, bytes, max_bytes);
  }
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override {
    count();
    return real_.list(directory, entries);
  }
  IoError stat(PathAt path, FileStat& stat) override {
    count();
    return real_.stat(path, stat);
  }
  IoError open_dir(PathAt directory, DirId& opened) override {
    count();
    return real_.open_dir(directory, opened);
  }
  void close_dir(DirId opened) override { real_.close_dir(opened); }
  IoError lock(DirId opened) override {
    count();
    return real_.lock(opened);
  }
  IoError make_dir(PathAt directory, std::uint32_t mode) override {
    count();
    return real_.make_dir(directory, mode);
  }
  void take_after(PathAt directory, PathAt model) override { count(), real_.take_after(directory, model); }
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override {
    if (--left_ < 0) {  // killed halfway through the file
      static_cast<void>(real_.create(file, bytes.substr(0, bytes.size() / 2), mode));
      ::raise(SIGKILL);
    }
    return real_.create(file, bytes, mode);
  }
  IoError link(PathAt existing, PathAt added) override {
    count();
    return real_.link(existing, added);
  }
  IoError rename(PathAt from, PathAt to) override {
    count();
    return real_.rename(from, to);
  }
  IoError exchange(PathAt one, PathAt other) override {
    count();
    return can_exchange_ ? real_.exchange(one, other) : IoError{EINVAL};
  }
  IoError remove(PathAt file) override {
    count();
    return real_.remove(file);
  }
  IoError remove_dir(PathAt directory) override {
    count();
    return real_.remove_dir(directory);
  }

 private:
  void count() {
    if (--left_ < 0) ::raise(SIGKILL);
  }
  RealFs real_;
  int left_;
  bool can_exchange_;
};

using KillFiles = std::vector<std::pair<std::string, std::string>>;
using DiskTree = std::map<std::string, std::string>;

const KillFiles kOldKill{{"cluster.yaml", "a: 1\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"gone/y.yaml", "y: 1\n"}};
const KillFiles kNewKill{
    {"cluster.yaml", "a: 2\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"addons/z/values.yaml", "z: 1\n"}};

const KillFiles kOldSpread{{"/argocd/apps/prod.yaml", "app: 1\n"},
                           {"/inventory/prod/gone.yaml", "gone: 1\n"},
                           {"cluster.yaml", "a: 1\n"},
                           {"gone/y.yaml", "y: 1\n"}};
const KillFiles kNewSpread{
    {"/argocd/apps/prod.yaml", "app: 2\n"}, {"/inventory/prod/new.yaml", "new: 1\n"}, {"cluster.yaml", "a: 2\n"}};

bool write(FileSystem& fs, const std::string& folder, const KillFiles& files) {
  Sink sink;
  OutputTree tree(fs, folder, "out");
  tree.allow(test::test_outputs());
  if (!tree.open(OutputTree::Access::Write, sink)) return false;
  const auto outcome = write_cluster(tree, test::rendered_files(files), {"1", "capo", "1", {}}, {}, sink).outcome;
  return outcome == WriteResult::Outcome::Written || outcome == WriteResult::Outcome::Unchanged;
}

bool opens(const std::string& folder) {
  RealFs fs;
  Sink sink;
  OutputTree tree(fs, folder, "out");
  tree.allow(test::test_outputs());
  return tree.open(OutputTree::Access::Write, sink);
}

DiskTree files_below(const std::string& folder) {
  DiskTree files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == kIndexName) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

struct Rights {
  mode_t mode;
  uid_t owner;
  gid_t group;
  friend bool operator==(const Rights&, const Rights&) = default;
};

Rights rights_of(const std::string& path) {
  struct stat found {};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return {found.st_mode, found.st_uid, found.st_gid};
}

// Adds folders and a file that no render wrote, each with its own rights. Only root can change owners; other users
// check modes only.
std::map<std::string, Rights> add_own_folders(const std::string& cluster) {
  std::filesystem::create_directory(cluster + "/mine");
  std::ofstream(cluster + "/mine/notes") << "mine\n";
  std::map<std::string, Rights> rights;
  for (const auto& [path, mode] : std::map<std::string, mode_t>{{cluster, 02750},
                                                                {cluster + "/addons", 0710},
                                                                {cluster + "/mine", 02710},
                                                                {cluster + "/mine/notes", 0640}}) {
    if (::geteuid() == 0) REQUIRE(::chown(path.c_str(), 1000, 1001) == 0);
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    rights[path] = rights_of(path);
  }
  return rights;
}

// Returns whether the write finished before call number `n`.
bool write_and_die(const std::string& folder, int n, bool can_exchange, const KillFiles& files = kNewKill) {
  const pid_t child = ::fork();
  if (child == 0) {
    DeadlyFs fs(n, can_exchange);
    write(fs, folder, files);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return !WIFSIGNALED(status);
}

void kill_everywhere(bool can_exchange) {
  const DiskTree before(kOldKill.begin(), kOldKill.end()), after(kNewKill.begin(), kNewKill.end());
  bool finished = false;
  for (int n = 0; !finished; ++n) {
    test::ScratchFolder scratch;
    RealFs fs;
    REQUIRE(write(fs, scratch.path(), kOldKill));
    finished = write_and_die(scratch.path(), n, can_exchange);
    INFO("killed before call " << n);
    const std::string cluster = scratch.path() + "/clusters/prod";
    if (!can_exchange) CHECK(opens(scratch.path()));  // completes the steps of a journal
    const DiskTree found = files_below(cluster);
    CHECK((found == before || found == after));
    CHECK(write(fs, scratch.path(), kNewKill));
    CHECK(files_below(cluster) == after);
    CHECK_FALSE(std::filesystem::exists(scratch.path() + "/clusters/.capwright-stage"));
  }
}

void kill_with_own_folders(bool can_exchange) {
  bool finished = false;
  for (int n = 0; !finished; ++n) {
    test::ScratchFolder scratch;
    RealFs fs;
    REQUIRE(write(fs, scratch.path(), kOldKill));
    const auto rights = add_own_folders(scratch.path() + "/clusters/prod");
    finished = write_and_die(scratch.path(), n, can_exchange);
    INFO("killed before call " << n);
    const auto check = [&] {
      for (const auto& [path, before] : rights) {
        INFO(path);
        CHECK(rights_of(path) == before);
      }
    };
    if (!can_exchange) CHECK(opens(scratch.path()));
    check();
    CHECK(write(fs, scratch.path(), kNewKill));
    check();
  }
}

// The same for files outside of the cluster's directory.
TEST_CASE("the next run finishes a killed one that wrote files outside of the cluster's directory") {
  const auto tree_of = [](const KillFiles& files) {
    DiskTree tree;
    for (const auto& [path, content] : files) tree[path_in_output("prod", path)] = content;
    return tree;
  };
  const DiskTree before = tree_of(kOldSpread), after = tree_of(kNewSpread);
  bool finished = false;
  int n = 0;
  for (; !finished; ++n) {
    test::ScratchFolder scratch;
    RealFs fs;
    REQUIRE(write(fs, scratch.path(), kOldSpread));
    finished = write_and_die(scratch.path(), n, true, kNewSpread);
    INFO("killed before call " << n);
    CHECK(opens(scratch.path()));
    const DiskTree found = files_below(scratch.path());
    CHECK((found == before || found == after));
    CHECK(write(fs, scratch.path(), kNewSpread));
    CHECK(files_below(scratch.path()) == after);
    CHECK_FALSE(std::filesystem::exists(scratch.path() + "/inventory/prod/gone.yaml"));
  }
  CHECK(n > 20);
}

TEST_CASE("owner, group and mode of folders that stay outlive a kill at every call") {
  kill_with_own_folders(true);
  kill_with_own_folders(false);
}

TEST_CASE("a killed process leaves the old or the new cluster") { kill_everywhere(true); }

TEST_CASE("if directories can't be exchanged, the next run finishes a killed one") { kill_everywhere(false); }

}  // namespace
}  // namespace capwright
