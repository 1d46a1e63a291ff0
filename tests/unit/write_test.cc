// A cluster is written as a whole or not at all, after any failure, and foreign files are never changed.
#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "rendered_text.h"
#include "source/memory_fs.h"

namespace capwright {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;
using WrittenTree = std::map<std::string, std::string>;
using Outcome = WriteResult::Outcome;

const Files kOld{{"cluster.yaml", "a: 1\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"gone/y.yaml", "y: 1\n"}};
const Files kNew{{"cluster.yaml", "a: 2\n"}, {"addons/x/values.yaml", "x: 1\n"}, {"addons/z/values.yaml", "z: 1\n"}};

RenderStamp stamp(std::string_view inputs = "inputs") { return {"0.1.0", "capo", "1", sha256(inputs)}; }

struct Run {
  WriteResult result;
  std::string codes;  // of what was reported
  std::string messages;
};

Run write(MemoryFs& fs, const Files& files, WriteOptions options = {}, const RenderStamp& made_by = stamp()) {
  Run run;
  Sink sink;
  OutputTree tree(fs, "out", "out");
  run.result.outcome = Outcome::Failed;
  if (tree.open(OutputTree::Access::Write, sink)) {
    run.result = write_cluster(tree, test::rendered_files(files), made_by, options, sink);
  }
  for (const Diagnostic& diagnostic : sink.diagnostics()) {
    run.codes.append(run.codes.empty() ? "" : " ").append(diagnostic.info->code);
    run.messages += diagnostic.message + "\n";
  }
  return run;
}

// The tree as it is below the cluster, without the index.
WrittenTree cluster_files(const MemoryFs& fs) {
  const std::string prefix = "out/clusters/prod/";
  WrittenTree files;
  for (const auto& [path, content] : fs.tree()) {
    if (path.starts_with(prefix) && !path.ends_with(kIndexName)) files[path.substr(prefix.size())] = content;
  }
  return files;
}

WrittenTree tree_of(const Files& files) { return {files.begin(), files.end()}; }

bool has_stage(const MemoryFs& fs) {
  const WrittenTree tree = fs.tree();
  return std::any_of(tree.begin(), tree.end(),
                     [](const auto& file) { return file.first.find(".capwright-stage") != std::string::npos; });
}

bool changed_something(const MemoryFs& fs) {
  return std::any_of(fs.log().begin(), fs.log().end(), [](const std::string& call) {
    return !call.starts_with("read") && !call.starts_with("open_dir") && !call.starts_with("lock") &&
           !call.starts_with("list") && !call.starts_with("stat");
  });
}

TEST_CASE("a new cluster is written with its index, and no staging files are left") {
  MemoryFs fs;
  const Run run = write(fs, kOld);
  CHECK(run.codes == "");
  CHECK(run.result.outcome == Outcome::Written);
  CHECK(run.result.written.size() == 3);
  CHECK(cluster_files(fs) == tree_of(kOld));
  CHECK(fs.version("out/clusters/prod/.capwright-index") != 0);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("a cluster that is up to date is only read") {
  MemoryFs fs;
  write(fs, kOld);
  fs.clear_log();
  fs.can_write = false;
  const Run run = write(fs, kOld);
  CHECK(run.result.outcome == Outcome::Unchanged);
  CHECK(run.codes == "");
  CHECK_FALSE(changed_something(fs));
}

TEST_CASE("a newer tool with the same render doesn't change the tree, other inputs are recorded in the index") {
  MemoryFs fs;
  write(fs, kOld);
  RenderStamp newer = stamp();
  newer.tool_version = "9.9.9";
  CHECK(write(fs, kOld, {}, newer).result.outcome == Outcome::Unchanged);
  const auto version = fs.version("out/clusters/prod/cluster.yaml");
  const Run run = write(fs, kOld, {}, stamp("others"));
  CHECK(run.result.outcome == Outcome::Written);
  CHECK(run.result.written.empty());
  CHECK(fs.version("out/clusters/prod/cluster.yaml") == version);
}

TEST_CASE("only changes are written, files that aren't rendered any more are deleted, foreign files are kept") {
  for (const bool in_place : {false, true}) {
    MemoryFs fs;
    fs.can_exchange = !in_place;
    write(fs, kOld);
    fs.add("out/clusters/prod/notes.md", "mine");
    fs.add("out/clusters/prod/addons/x/kustomization.yaml", "mine too");
    fs.add("out/clusters/prod/own/deep/er.txt", "and this");
    fs.add_dir("out/clusters/prod/empty");
    fs.add_symlink("out/clusters/prod/link", "notes.md");
    fs.add("out/clusters/other/cluster.yaml", "not rendered here");
    const auto unchanged = fs.version("out/clusters/prod/addons/x/values.yaml");
    const auto foreign = fs.version("out/clusters/prod/own/deep/er.txt");

    const Run run = write(fs, kNew);
    CHECK(run.codes == "");
    CHECK(run.result.written ==
          std::vector<std::string>{"clusters/prod/addons/z/values.yaml", "clusters/prod/cluster.yaml"});
    CHECK(run.result.deleted == std::vector<std::string>{"clusters/prod/gone/y.yaml"});
    WrittenTree expected = tree_of(kNew);
    expected.insert({{"notes.md", "mine"},
                     {"addons/x/kustomization.yaml", "mine too"},
                     {"own/deep/er.txt", "and this"},
                     {"empty", "/"},
                     {"link", "-> notes.md"}});
    CHECK(cluster_files(fs) == expected);
    CHECK(fs.version("out/clusters/prod/addons/x/values.yaml") == unchanged);
    CHECK(fs.version("out/clusters/prod/own/deep/er.txt") == foreign);
    CHECK(fs.tree().at("out/clusters/other/cluster.yaml") == "not rendered here");
    CHECK_FALSE(has_stage(fs));
    CHECK(write(fs, kNew).result.outcome == Outcome::Unchanged);
  }
}

TEST_CASE("a file system without links is changed in place") {
  MemoryFs fs;
  fs.can_link = false;
  write(fs, kOld);
  fs.add("out/clusters/prod/notes.md", "mine");
  CHECK(write(fs, kNew).codes == "");
  WrittenTree expected = tree_of(kNew);
  expected["notes.md"] = "mine";
  CHECK(cluster_files(fs) == expected);
}

TEST_CASE("a directory with only rendered files may become a file, and back") {
  const Files folder{{"a/b.yaml", "1\n"}}, file{{"a", "2\n"}};
  for (const bool in_place : {false, true}) {
    MemoryFs fs;
    fs.can_exchange = !in_place;
    write(fs, folder);
    CHECK(write(fs, file).codes == "");
    CHECK(cluster_files(fs) == tree_of(file));
    CHECK(write(fs, folder).codes == "");
    CHECK(cluster_files(fs) == tree_of(folder));
  }
}

TEST_CASE("a file edited by hand is kept and reported, and overwritten only with force") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/prod/cluster.yaml", "a: 1 # by hand\n");
  fs.add("out/clusters/prod/gone/y.yaml", "by hand, too\n");
  const WrittenTree before = fs.tree();
  fs.clear_log();
  const Run run = write(fs, kNew);
  CHECK(run.result.outcome == Outcome::Refused);
  CHECK(run.codes == "G102 G102");
  CHECK(run.messages ==
        "`out/clusters/prod/cluster.yaml` was edited since it was rendered\n"
        "`out/clusters/prod/gone/y.yaml` was edited since it was rendered\n");
  CHECK(fs.tree() == before);
  CHECK_FALSE(changed_something(fs));
  CHECK(write(fs, kNew, {.force = true}).result.outcome == Outcome::Written);
  CHECK(cluster_files(fs) == tree_of(kNew));
}

TEST_CASE("an edit that equals the render is not an edit") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/prod/cluster.yaml", "a: 2\n");
  const Run run = write(fs, kNew);
  CHECK(run.codes == "");
  CHECK(run.result.written == std::vector<std::string>{"clusters/prod/addons/z/values.yaml"});
}

TEST_CASE("a file that was deleted by hand is written again") {
  MemoryFs fs;
  write(fs, kOld);
  static_cast<void>(fs.remove("out/clusters/prod/cluster.yaml"));
  const Run run = write(fs, kOld);
  CHECK(run.result.written == std::vector<std::string>{"clusters/prod/cluster.yaml"});
  CHECK(cluster_files(fs) == tree_of(kOld));
}

TEST_CASE("a file that isn't in an index is kept unless it equals the render") {
  MemoryFs fs;
  fs.add("out/clusters/prod/cluster.yaml", "a: 1\n");
  CHECK(write(fs, kOld).codes == "");  // adopted
  MemoryFs other;
  other.add("out/clusters/prod/cluster.yaml", "somebody's\n");
  const Run run = write(other, kOld);
  CHECK(run.codes == "G103");
  CHECK(run.result.outcome == Outcome::Refused);
  CHECK(cluster_files(other) == WrittenTree{{"cluster.yaml", "somebody's\n"}});
  CHECK(write(other, kOld, {.force = true}).codes == "");
  CHECK(cluster_files(other) == tree_of(kOld));
}

TEST_CASE("directories, links and files in the way are never replaced, even with force") {
  MemoryFs fs;
  fs.add("out/clusters/prod/cluster.yaml/inside", "x");
  fs.add("out/clusters/prod/gone", "a file where a folder is needed");
  fs.add_symlink("out/clusters/prod/addons", "/elsewhere");
  fs.add("elsewhere/x/values.yaml", "x: 1\n");
  const WrittenTree before = fs.tree();
  const Run run = write(fs, kOld, {.force = true});
  CHECK(run.result.outcome == Outcome::Refused);
  CHECK(run.messages ==
        "`out/clusters/prod/addons` is a symbolic link; the render needs a folder there\n"
        "`out/clusters/prod/cluster.yaml` is a folder; the render needs a file there\n"
        "`out/clusters/prod/gone` is a file; the render needs a folder there\n");
  CHECK(fs.tree() == before);
}

TEST_CASE("links above the cluster's files are rejected") {
  MemoryFs cluster, clusters;
  cluster.add_dir("elsewhere");
  cluster.add_dir("out/clusters");
  cluster.add_symlink("out/clusters/prod", "/elsewhere");
  const Run run = write(cluster, kOld);
  CHECK(run.messages == "`out/clusters/prod` can't be listed: a part of it is a symbolic link\n");
  clusters.add_dir("elsewhere");
  clusters.add_dir("out");
  clusters.add_symlink("out/clusters", "/elsewhere");
  CHECK(write(clusters, kOld).messages == "`out/clusters` can't be listed: a part of it is a symbolic link\n");
  CHECK(clusters.tree().at("elsewhere") == "/");
}

TEST_CASE("an unreadable index stops the write; force rewrites it and deletes nothing") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/prod/.capwright-index", "<<<<<<< HEAD\n");
  const Run run = write(fs, kNew);
  CHECK(run.codes == "G105 G103");
  CHECK(run.result.outcome == Outcome::Refused);
  CHECK(write(fs, kNew, {.force = true}).codes == "");
  WrittenTree expected = tree_of(kNew);
  expected["gone/y.yaml"] = "y: 1\n";
  CHECK(cluster_files(fs) == expected);
}

TEST_CASE("a cluster may be written twice in one run, also in the run that creates the directory") {
  for (const bool exists : {false, true}) {
    MemoryFs fs;
    if (exists) fs.add_dir("out/clusters");
    Sink sink;
    OutputTree tree(fs, "out", "out");
    REQUIRE(tree.open(OutputTree::Access::Write, sink));
    CHECK(write_cluster(tree, test::rendered_files(kOld), stamp(), {}, sink).outcome == Outcome::Written);
    CHECK(write_cluster(tree, test::rendered_files(kNew), stamp(), {}, sink).outcome == Outcome::Written);
    CHECK(cluster_files(fs) == tree_of(kNew));
  }
}

TEST_CASE("a second run on the same folder is rejected") {
  MemoryFs fs;
  write(fs, kOld);
  Sink sink;
  OutputTree first(fs, "out", "out");
  REQUIRE(first.open(OutputTree::Access::Write, sink));
  CHECK(write(fs, kNew).messages == "another capwright is writing to `out/clusters`\n");
  OutputTree looking(fs, "out", "out");
  CHECK(looking.open(OutputTree::Access::Read, sink));
}

TEST_CASE("a file keeps its permissions, and a secret is private to its owner") {
  MemoryFs fs;
  write(fs, kOld);
  fs.add("out/clusters/prod/cluster.yaml", "a: 1\n", 0640);
  write(fs, kNew);
  FileStat stat;
  REQUIRE_FALSE(fs.stat("out/clusters/prod/cluster.yaml", stat));
  CHECK(stat.mode == 0640);

  test::RenderedText rendered;
  rendered.text("# FILE: clusters/prod/secret.yaml\na: ").value("hunter2", true).text("\n");
  Sink sink;
  OutputTree tree(fs, "out", "out");
  REQUIRE(tree.open(OutputTree::Access::Write, sink));
  write_cluster(tree, rendered.split(), stamp(), {.force = true}, sink);
  REQUIRE_FALSE(fs.stat("out/clusters/prod/secret.yaml", stat));
  CHECK(stat.mode == 0600);
}

TEST_CASE("an unwritable tree is reported once") {
  MemoryFs fs;
  write(fs, kOld);
  fs.can_write = false;
  const Run run = write(fs, kNew);
  CHECK(run.messages == "`out/clusters` can't be written: the file system is read-only\n");
  CHECK(run.result.outcome == Outcome::Failed);
}

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

std::string differences(MemoryFs& fs, const FileSet& files) {
  static constexpr const char* kNames[] = {"missing", "changed", "extra"};
  Sink sink;
  OutputTree tree(fs, "out", "out");
  REQUIRE(tree.open(OutputTree::Access::Read, sink));
  std::string all;
  for (const TreeDifference& difference : check_cluster(tree, files, stamp(), {}, sink)) {
    all += fmt::format("{} {}{}\n{}", kNames[static_cast<int>(difference.kind)], difference.path,
                       difference.by_hand ? " (by hand)" : "", difference.diff);
  }
  return all;
}

TEST_CASE("a check reports differences, and changes nothing") {
  MemoryFs fs;
  CHECK(differences(fs, test::rendered_files(kOld)) ==
        "missing clusters/prod/.capwright-index\nmissing clusters/prod/addons/x/values.yaml\n"
        "missing clusters/prod/cluster.yaml\nmissing clusters/prod/gone/y.yaml\n");
  write(fs, kOld);
  CHECK(differences(fs, test::rendered_files(kOld)) == "");
  fs.clear_log();
  CHECK(differences(fs, test::rendered_files(kNew)) ==
        "changed clusters/prod/.capwright-index\nmissing clusters/prod/addons/z/values.yaml\n"
        "changed clusters/prod/cluster.yaml\n"
        "--- out/clusters/prod/cluster.yaml\n+++ out/clusters/prod/cluster.yaml (rendered)\n"
        "@@ -1 +1 @@\n-a: 1\n+a: 2\n"
        "extra clusters/prod/gone/y.yaml\n");
  fs.add("out/clusters/prod/cluster.yaml", "by hand");
  CHECK(differences(fs, test::rendered_files(kOld)).starts_with("changed clusters/prod/cluster.yaml (by hand)\n---"));
  CHECK_FALSE(changed_something(fs));
}

TEST_CASE("a check shows no line of a file that contains or contained a secret") {
  const auto render = [](std::string_view password, bool secret) {
    test::RenderedText rendered;
    rendered.text("# FILE: clusters/prod/secret.yaml\npassword: ").value(password, secret).text("\n");
    return rendered.split();
  };
  MemoryFs fs;
  Sink sink;
  {
    OutputTree tree(fs, "out", "out");
    REQUIRE(tree.open(OutputTree::Access::Write, sink));
    write_cluster(tree, render("hunter2", true), stamp(), {}, sink);
  }
  const std::string no_diff = "changed clusters/prod/.capwright-index\nchanged clusters/prod/secret.yaml\n";
  CHECK(differences(fs, render("hunter3", true)) == no_diff);
  CHECK(differences(fs, render("ref:vault/password", false)) == no_diff);
  // Without the index the origin of a file on disk is unknown.
  Sink none;
  OutputTree tree(fs, "out", "out");
  REQUIRE(tree.open(OutputTree::Access::Write, none));
  REQUIRE_FALSE(fs.remove(tree.clusters() / "prod/.capwright-index"));
  CHECK(differences(fs, render("ref:vault/password", false)) ==
        "missing clusters/prod/.capwright-index\nchanged clusters/prod/secret.yaml (by hand)\n");
}

}  // namespace
}  // namespace capwright
