// A cluster is written with its index, and foreign files are never changed. Failures are in interrupted_write_test.cc.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "written_cluster.h"

namespace capwright::test {
namespace {

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
    CHECK(write_cluster(tree, rendered_files(kOld), stamp(), {}, sink).outcome == Outcome::Written);
    CHECK(write_cluster(tree, rendered_files(kNew), stamp(), {}, sink).outcome == Outcome::Written);
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

  RenderedText rendered;
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
  CHECK(differences(fs, rendered_files(kOld)) ==
        "missing clusters/prod/.capwright-index\nmissing clusters/prod/addons/x/values.yaml\n"
        "missing clusters/prod/cluster.yaml\nmissing clusters/prod/gone/y.yaml\n");
  write(fs, kOld);
  CHECK(differences(fs, rendered_files(kOld)) == "");
  fs.clear_log();
  CHECK(differences(fs, rendered_files(kNew)) ==
        "changed clusters/prod/.capwright-index\nmissing clusters/prod/addons/z/values.yaml\n"
        "changed clusters/prod/cluster.yaml\n"
        "--- out/clusters/prod/cluster.yaml\n+++ out/clusters/prod/cluster.yaml (rendered)\n"
        "@@ -1 +1 @@\n-a: 1\n+a: 2\n"
        "extra clusters/prod/gone/y.yaml\n");
  fs.add("out/clusters/prod/cluster.yaml", "by hand");
  CHECK(differences(fs, rendered_files(kOld)).starts_with("changed clusters/prod/cluster.yaml (by hand)\n---"));
  CHECK_FALSE(changed_something(fs));
}

TEST_CASE("a check shows no line of a file that contains or contained a secret") {
  const auto render = [](std::string_view password, bool secret) {
    RenderedText rendered;
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
}  // namespace capwright::test
