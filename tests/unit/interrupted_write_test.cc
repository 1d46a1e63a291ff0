// A cluster is written as a whole or not at all, after an error or a kill at any call.
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>

#include "written_cluster.h"

namespace capwright::test {
namespace {

// The features that a file system supports.
struct Abilities {
  bool exchange, link;
};
constexpr Abilities kAll{true, true}, kNoExchange{false, true}, kNoLinks{true, false};

MemoryFs& prepare(MemoryFs& fs, const Files& present, Abilities abilities) {
  fs.can_exchange = abilities.exchange;
  fs.can_link = abilities.link;
  if (!present.empty()) {
    write(fs, present);
    fs.add("out/clusters/prod/addons/x/notes.md", "mine");
  }
  return fs;
}

// A remaining empty folder does no harm.
WrittenTree files_alone(const MemoryFs& fs) {
  WrittenTree tree = cluster_files(fs);
  std::erase_if(tree, [](const auto& file) { return file.second == "/"; });
  return tree;
}

WrittenTree with_notes(const Files& files, bool notes) {
  WrittenTree tree = tree_of(files);
  if (notes) tree["addons/x/notes.md"] = "mine";
  return tree;
}

// Stops a write from `present` to kNew at every call; returns the number of calls.
template <class Stop, class Check>
int stop_everywhere(const Files& present, Abilities abilities, Stop stop, Check check) {
  const WrittenTree before = with_notes(present, !present.empty()), after = with_notes(kNew, !present.empty());
  for (int n = 0;; ++n) {
    MemoryFs fs;
    stop(prepare(fs, present, abilities), n);
    const Run run = write(fs, kNew);
    const bool reached = fs.reached();
    fs.revive();
    INFO("stopped at call " << n << ": " << (fs.log().empty() ? "" : fs.log().back()));
    check(fs, run, before, after, reached);
    const Run next = write(fs, kNew);
    CHECK(next.result.outcome != Outcome::Failed);
    CHECK(next.result.outcome != Outcome::Refused);
    CHECK(files_alone(fs) == after);
    CHECK_FALSE(has_stage(fs));
    if (!reached) return n;
  }
}

TEST_CASE("after an error in any call, the cluster is the old or the new one") {
  for (const Files& present : {Files{}, kOld}) {
    for (const int code : {EIO, ENOSPC, EACCES}) {
      const auto fail = [&](MemoryFs& fs, int n) { fs.fail_at(static_cast<std::uint64_t>(n), code); };
      const auto check = [](const MemoryFs& fs, const Run& run, const WrittenTree& before, const WrittenTree& after,
                            bool) {
        const WrittenTree found = cluster_files(fs);
        CHECK((found == before || found == after));
        CHECK((run.result.outcome != Outcome::Written || found == after));
        CHECK((run.result.outcome != Outcome::Failed || !run.codes.empty()));
      };
      CHECK(stop_everywhere(present, kAll, fail, check) > 10);
    }
  }
}

TEST_CASE("after a kill at any call, the cluster is the old or the new one") {
  const auto die = [](MemoryFs& fs, int n) { fs.die_at(static_cast<std::uint64_t>(n)); };
  const auto check = [](const MemoryFs& fs, const Run&, const WrittenTree& before, const WrittenTree& after, bool) {
    const WrittenTree found = cluster_files(fs);
    CHECK((found == before || found == after));
  };
  CHECK(stop_everywhere({}, kAll, die, check) > 10);
  CHECK(stop_everywhere(kOld, kAll, die, check) > 10);
}

TEST_CASE("without exchange or links, the next run finishes an interrupted or failed one") {
  for (const Abilities abilities : {kNoExchange, kNoLinks}) {
    const auto die = [](MemoryFs& fs, int n) { fs.die_at(static_cast<std::uint64_t>(n)); };
    const auto fail = [](MemoryFs& fs, int n) { fs.fail_at(static_cast<std::uint64_t>(n), EIO); };
    const auto old_or_new_after_opening = [](MemoryFs& fs, const Run&, const WrittenTree& before,
                                             const WrittenTree& after, bool) {
      Sink sink;
      OutputTree tree(fs, "out", "out");
      CHECK(tree.open(OutputTree::Access::Write, sink));
      const WrittenTree found = files_alone(fs);
      CHECK((found == before || found == after));
    };
    CHECK(stop_everywhere(kOld, abilities, die, old_or_new_after_opening) > 20);
    CHECK(stop_everywhere(kOld, abilities, fail, old_or_new_after_opening) > 20);
  }
}

TEST_CASE("the remains of a killed run are reported when they are removed") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/.capwright-stage/prod/cluster.yaml", "half");
  fs.add("out/clusters/.capwright-stage/.gitignore", "*\n");
  const Run run = write(fs, kOld);
  CHECK(run.messages == "an interrupted write of `out/clusters/prod` was cleaned up\n");
  CHECK(run.result.outcome == Outcome::Unchanged);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("a journal with files elsewhere is not carried out") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/other/cluster.yaml", "kept");
  fs.add("out/clusters/.capwright-stage/prod/.capwright-journal", "capwright journal 1\n- ../other/cluster.yaml\n");
  write(fs, kOld);
  CHECK(fs.tree().at("out/clusters/other/cluster.yaml") == "kept");
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("a foreign journal changes only files that the indexes list") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/prod/mine.txt", "kept");
  fs.add("out/clusters/.capwright-stage/prod/planted.yaml", "evil");
  fs.add("out/clusters/.capwright-stage/prod/.capwright-journal", "capwright journal 1\n- mine.txt\n+ planted.yaml\n");
  write(fs, kOld);
  CHECK(fs.tree().at("out/clusters/prod/mine.txt") == "kept");
  CHECK(fs.tree().count("out/clusters/prod/planted.yaml") == 0);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("an unreadable journal doesn't cause the removal of the stage") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/.capwright-stage/prod/.capwright-journal", "capwright journal 1\n");
  fs.fail_on("read .capwright-journal", EACCES);
  const Run run = write(fs, kOld);
  CHECK(run.messages == "`out/clusters/prod` can't be written: permission denied\n");
  CHECK(fs.tree().count("out/clusters/.capwright-stage/prod/.capwright-journal") == 1);
  write(fs, kOld);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("two runs that create the same cluster don't overwrite each other") {
  MemoryFs fs;
  fs.fail_on("rename prod", ENOTEMPTY);
  const Run run = write(fs, kOld);
  CHECK(run.codes == "G101");
  CHECK(run.result.outcome == Outcome::Failed);
}

}  // namespace
}  // namespace capwright::test
