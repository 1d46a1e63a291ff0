// Files outside of a cluster's directory: whose they are, and how they are written.
#include "files/outputs.h"

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <random>
#include <thread>

#include "written_cluster.h"

namespace capwright::test {
namespace {

OutputPattern pattern(const std::string& text) {
  std::string why;
  const auto parsed = OutputPattern::parse(text, why);
  INFO(text << ": " << why);
  REQUIRE(parsed);
  return *parsed;
}

std::string fault_of_pattern(const std::string& text) {
  std::string why;
  return OutputPattern::parse(text, why) ? "" : why;
}

TEST_CASE("a pattern names the only cluster that may have a path") {
  const OutputPattern app = pattern("argocd/apps/app-${cluster_name}.yaml");
  CHECK(app.owner("argocd/apps/app-prod.yaml") == "prod");
  CHECK(app.owner("argocd/apps/app-a.yaml.yaml") == "a.yaml");
  CHECK(app.owner("argocd/apps/app-.yaml") == "");
  CHECK(app.owner("argocd/apps/prod.yaml") == "");
  CHECK(app.owner("argocd/app-prod.yaml") == "");
  CHECK(app.owner("argocd/apps/app-prod.yaml/x") == "");
  CHECK(app.owner("Argocd/apps/app-prod.yaml") == "");

  const OutputPattern deep = pattern("inventory/${cluster_name}/**");
  CHECK(deep.owner("inventory/prod/hosts.yaml") == "prod");
  CHECK(deep.owner("inventory/prod/a/b/c") == "prod");
  CHECK(deep.owner("inventory/prod") == "");
  CHECK(deep.owner("inventory/prod/.git/config") == "");
  CHECK(deep.owner("inventory/.prod/a") == "");

  const OutputPattern twice = pattern("docs/${cluster_name}/*/${cluster_name}-notes.md");
  CHECK(twice.owner("docs/a/x/a-notes.md") == "a");
  CHECK(twice.owner("docs/a/x/b-notes.md") == "");
  CHECK(twice.owner("docs/*/x/a-notes.md") == "");
}

TEST_CASE("invalid patterns have a reason") {
  CHECK(fault_of_pattern("docs/*.md") == "it has no `${cluster_name}`, so all clusters would have one file");
  CHECK(fault_of_pattern("${cluster_name}.yaml") == "`${cluster_name}` can't be in its first part");
  CHECK(fault_of_pattern("*/${cluster_name}.yaml") ==
        "only parts after the one with `${cluster_name}` may have wildcards");
  CHECK(fault_of_pattern("a/${cluster_name}-*.yaml") ==
        "only parts after the one with `${cluster_name}` may have wildcards");
  CHECK(fault_of_pattern("a/**/${cluster_name}.yaml") == "`**` must be its last part");
  CHECK(fault_of_pattern("a/${cluster_name}/**/x") == "`**` must be its last part");
  CHECK(fault_of_pattern("a/${cluster_name}/x**") == "`**` must be a whole part");
  CHECK(fault_of_pattern("a/${cluster_name}${cluster_name}") == "a part of it has two names");
  CHECK(fault_of_pattern("a/${cluster_name}/${region}") == "the only variable is `${cluster_name}`");
  CHECK(fault_of_pattern("a/${cluster}") == "it has no `${cluster_name}`, so all clusters would have one file");
  CHECK(fault_of_pattern(".github/${cluster_name}.yaml") == "a part of it starts with a dot");
  CHECK(fault_of_pattern("a/.${cluster_name}") == "a part of it starts with a dot");
  CHECK(fault_of_pattern("clusters/${cluster_name}/x") == "`clusters/` has the clusters' own folders");
  CHECK(fault_of_pattern("Clusters/${cluster_name}") == "`clusters/` has the clusters' own folders");
  CHECK(fault_of_pattern("/etc/${cluster_name}") == "it is an absolute path");
  CHECK(fault_of_pattern("../${cluster_name}") == "a part of it is empty, `.` or `..`");
  CHECK(fault_of_pattern("a//${cluster_name}") == "a part of it is empty, `.` or `..`");
  CHECK(fault_of_pattern("a/.git/${cluster_name}") == "a part of it is reserved for Git");
  CHECK(fault_of_pattern("a/${cluster_name}?") == "a part of it isn't a file name on Windows");
}

TEST_CASE("patterns clash if two clusters could have one path, or a file where the other has a folder") {
  const auto clash = [](const std::string& one, const std::string& other) {
    const OutputPattern a = pattern(one), b = pattern(other);
    CHECK(a.clashes_with(b) == b.clashes_with(a));
    return a.clashes_with(b);
  };
  CHECK_FALSE(clash("a/${cluster_name}.yaml", "b/${cluster_name}.yaml"));
  CHECK_FALSE(clash("a/${cluster_name}.yaml", "a/${cluster_name}.json"));
  CHECK_FALSE(clash("a/${cluster_name}/x", "a/${cluster_name}/y/**"));
  CHECK_FALSE(clash("argocd/${cluster_name}.yaml", "argocd/apps/${cluster_name}.yaml"));
  CHECK(clash("a/${cluster_name}.yaml", "a/x-${cluster_name}.yaml"));
  CHECK(clash("a/${cluster_name}", "a/${cluster_name}.yaml"));
  CHECK(clash("a/x-${cluster_name}", "a/${cluster_name}-y"));
  CHECK(clash("a/${cluster_name}/**", "a/prod/${cluster_name}.yaml"));
  CHECK(clash("a/${cluster_name}", "a/prod/${cluster_name}.yaml"));
  CHECK(clash("docs/${cluster_name}.md", "Docs/x-${cluster_name}.md"));
}

TEST_CASE("a pattern reaches the files in its way, and those that it could write") {
  const OutputPattern app = pattern("config/${cluster_name}.yaml");
  CHECK(app.reaches("config"));
  CHECK(app.reaches("Config"));
  CHECK(app.reaches("config/all.yaml"));
  CHECK_FALSE(app.reaches("config/values"));
  CHECK_FALSE(app.reaches("other/all.yaml"));
  const OutputPattern deep = pattern("config/x/${cluster_name}/**");
  CHECK(deep.reaches("config"));
  CHECK(deep.reaches("config/x/values/prod.yaml"));
  CHECK_FALSE(deep.reaches("config/y"));
}

// The property that the checks of patterns exist for.
TEST_CASE("if patterns don't clash, no two clusters can have clashing paths") {
  std::mt19937 random(20261126);  // fixed, so that a failure can be repeated
  const std::string name = "${cluster_name}";
  const std::vector<std::string> words{"a",         "b",         "a-b",       name,
                                       "x-" + name, name + "-b", name + ".a", "x-" + name + "-b"};
  const std::vector<std::string> names{"a", "b", "a-b", "x-a", "x-a-b", "a-b-b", "a.a", "x-x-a"};
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  const auto random_pattern = [&] {
    std::string text = "d", why;
    for (std::size_t size = 1 + random() % 3; size != 0; --size) text += "/" + pick(words);
    if (random() % 3 == 0) text += "/**";
    return OutputPattern::parse(text, why);
  };
  // A file of some cluster, or one below or above it.
  const auto random_path = [&](std::string path) {
    const std::string cluster = pick(names);
    for (std::size_t at = path.find(name); at != std::string::npos; at = path.find(name))
      path.replace(at, name.size(), cluster);
    if (path.ends_with("/**")) path.replace(path.size() - 2, 2, pick(names));
    return path;
  };
  int compared = 0, clashing = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto one = random_pattern(), other = random_pattern();
    if (!one || !other) continue;
    const std::string path = random_path(one->text()), more = random() % 2 == 0 ? "" : "/" + pick(names);
    const std::string_view first = one->owner(path);
    const std::string longer = path + more;
    const std::string_view second = other->owner(longer);
    if (first.empty() || second.empty()) continue;
    ++(first == second ? compared : clashing);
    INFO(one->text() << ", " << other->text() << ": " << path << ", " << longer);
    CHECK((first == second || one->clashes_with(*other)));
  }
  CHECK(compared > 100);
  CHECK(clashing > 100);
}

TEST_CASE("files outside of the directory are written, changed and removed like the others") {
  MemoryFs fs;
  CHECK(write(fs, kOldOutside).codes == "");
  CHECK(output_files(fs) == output_of(kOldOutside));
  const std::string index = fs.tree().at("out/clusters/prod/.capwright-index");
  CHECK(index.find("\"format\": 3") != std::string::npos);
  CHECK(index.find("\"/argocd/apps/prod.yaml\"") != std::string::npos);
  CHECK(write(fs, kOldOutside).result.outcome == Outcome::Unchanged);
  fs.add("out/inventory/prod/mine.txt", "mine");
  const auto unchanged = fs.version("out/inventory/prod/hosts.yaml");
  const Run run = write(fs, kNewOutside);
  CHECK(run.codes == "");
  CHECK(run.result.written ==
        std::vector<std::string>{"argocd/apps/prod.yaml", "clusters/prod/cluster.yaml", "inventory/prod/new.yaml"});
  CHECK(run.result.deleted == std::vector<std::string>{"clusters/prod/gone/y.yaml", "inventory/prod/vars/all.yaml"});
  WrittenTree expected = output_of(kNewOutside);
  expected["inventory/prod/mine.txt"] = "mine";
  CHECK(output_files(fs) == expected);
  CHECK(fs.version("out/inventory/prod/hosts.yaml") == unchanged);
  CHECK(fs.tree().count("out/inventory/prod/vars") == 0);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("a cluster whose outside files stay is swapped with its directory as before") {
  MemoryFs fs;
  write(fs, kOldOutside);
  Files files = kOldOutside;
  files[3].second = "a: 3\n";
  fs.clear_log();
  CHECK(write(fs, files).result.outcome == Outcome::Written);
  CHECK(std::count_if(fs.log().begin(), fs.log().end(),
                      [](const std::string& call) { return call.starts_with("exchange"); }) == 1);
  CHECK(output_files(fs) == output_of(files));
}

TEST_CASE("outside of the directory, foreign and edited files are kept as well") {
  MemoryFs fs;
  fs.add("out/argocd/apps/prod.yaml", "not ours\n");
  const Run foreign = write(fs, kOldOutside);
  CHECK(foreign.messages == "`out/argocd/apps/prod.yaml` exists but wasn't rendered by capwright\n");
  CHECK(foreign.result.outcome == Outcome::Refused);
  CHECK(output_files(fs) == WrittenTree{{"argocd/apps/prod.yaml", "not ours\n"}});
  CHECK(write(fs, kOldOutside, {.force = true}).codes == "");
  CHECK(output_files(fs) == output_of(kOldOutside));
  fs.add("out/inventory/prod/vars/all.yaml", "by hand\n");
  const Run edited = write(fs, kNewOutside);
  CHECK(edited.messages == "`out/inventory/prod/vars/all.yaml` was edited since it was rendered\n");
  CHECK(write(fs, kNewOutside, {.force = true}).codes == "");
  CHECK(output_files(fs) == output_of(kNewOutside));
}

TEST_CASE("links, folders and files in the way of outside files are never replaced") {
  MemoryFs link, folder, file;
  link.add_dir("elsewhere");
  link.add_symlink("out/argocd", "/elsewhere");
  CHECK(write(link, kOldOutside, {.force = true}).messages ==
        "`out/argocd` is a symbolic link; the render needs a folder there\n");
  CHECK(link.tree().at("elsewhere") == "/");
  folder.add("out/argocd/apps/prod.yaml/inside", "x");
  CHECK(write(folder, kOldOutside, {.force = true}).messages ==
        "`out/argocd/apps/prod.yaml` is a folder; the render needs a file there\n");
  file.add("out/inventory", "x");
  CHECK(write(file, kOldOutside, {.force = true}).messages ==
        "`out/inventory` is a file; the render needs a folder there\n"
        "`out/inventory` is a file; the render needs a folder there\n");
  CHECK(output_files(file) == WrittenTree{{"inventory", "x"}});
}

TEST_CASE("a rendered outside file may become a folder; a folder never becomes a file") {
  const Files file{{"/inventory/prod/a", "1\n"}, {"x.yaml", "1\n"}};
  const Files folder{{"/inventory/prod/a/b", "2\n"}, {"x.yaml", "1\n"}};
  MemoryFs fs;
  write(fs, file);
  CHECK(write(fs, folder).codes == "");
  CHECK(output_files(fs) == output_of(folder));
  CHECK(write(fs, file).messages == "`out/inventory/prod/a` is a folder; the render needs a file there\n");
  CHECK(output_files(fs) == output_of(folder));
}

TEST_CASE("an index can't make capwright touch files that the outputs don't allow") {
  MemoryFs fs;
  write(fs, kOldOutside);
  fs.add("out/values/prod.yaml", "v: 1\n");
  const std::string path = "out/clusters/prod/.capwright-index";
  std::string index = fs.tree().at(path);
  const std::string planted =
      "{\"path\": \"/values/prod.yaml\", \"size\": 5, \"sha256\": \"" + to_hex(sha256("v: 1\n")) + "\"},\n    ";
  index.insert(index.find("{\"path\""), planted);
  fs.add(path, index);
  const Run run = write(fs, kNewOutside);
  CHECK(run.messages == "`out/values/prod.yaml` was rendered, but `template.outputs` doesn't allow it any more\n");
  CHECK(run.result.outcome == Outcome::Refused);
  CHECK(write(fs, kNewOutside, {.force = true}).codes == "");
  WrittenTree expected = output_of(kNewOutside);
  expected["values/prod.yaml"] = "v: 1\n";
  CHECK(output_files(fs) == expected);
  CHECK(write(fs, kNewOutside).result.outcome == Outcome::Unchanged);
}

TEST_CASE("an index with paths that no output may have is invalid") {
  for (const std::string path : {"/.git/config", "/a", "/clusters/b/x", "/.github/workflows/x", "/../x", "//etc/x"}) {
    std::string why;
    const std::string text = "{\"format\": 3, \"files\": [{\"path\": \"" + path + "\", \"size\": 1, \"sha256\": \"" +
                             to_hex(sha256("x")) + "\"}]}";
    INFO(path);
    CHECK_FALSE(read_index(text, why));
    CHECK(why == "line 1: `" + path + "` isn't a path of a rendered file");
  }
}

TEST_CASE("a foreign journal touches no outside files but those that outputs and indexes have") {
  MemoryFs fs;
  write(fs, kOldOutside);
  fs.add("out/values/prod.yaml", "v: 1\n");
  fs.add("out/inventory/prod/mine.txt", "mine");
  const std::string stage = "out/clusters/.capwright-stage/prod/";
  fs.add(stage + ".capwright-outputs/values/prod.yaml", "evil");
  fs.add(stage + ".capwright-outputs/inventory/prod/planted.yaml", "evil");
  fs.add(stage + ".capwright-journal",
         "capwright journal 1\n= " + to_hex(sha256("v: 1\n")) +
             " /values/prod.yaml\n- /values/prod.yaml\n- /inventory/prod/mine.txt\n+ /values/prod.yaml\n"
             "+ /inventory/prod/planted.yaml\n");
  write(fs, kOldOutside);
  WrittenTree expected = output_of(kOldOutside);
  expected["values/prod.yaml"] = "v: 1\n";
  expected["inventory/prod/mine.txt"] = "mine";
  CHECK(output_files(fs) == expected);
  CHECK_FALSE(has_stage(fs));
}

TEST_CASE("a folder on another file system gets its files by copies") {
  MemoryFs fs;
  write(fs, kOldOutside);
  fs.fail_on("rename out/argocd/apps/prod.yaml", EXDEV);
  CHECK(write(fs, kNewOutside).codes == "");
  CHECK(fs.reached());
  CHECK(output_files(fs) == output_of(kNewOutside));
}

// The folder is removed with its last file, while another thread adds a file to it.
TEST_CASE("clusters that share a folder change it at the same time", "[threads]") {
  const Outputs outputs = outputs_of_texts({"argocd/apps/${cluster_name}.yaml"});
  const auto files_of = [&](const std::string& cluster, bool has_app) {
    Files files{{"cluster.yaml", has_app ? "a: 1\n" : "a: 2\n"}};
    if (has_app) files.emplace_back("/argocd/apps/" + cluster + ".yaml", "app: 1\n");
    return rendered_files(files, cluster);
  };
  MemoryFs fs;
  fs.add_dir("out/clusters");
  Sink opening;
  OutputTree tree(fs, "out", "out");
  tree.allow(outputs);
  REQUIRE(tree.open(OutputTree::Access::Write, opening));
  for (int round = 0; round < 300; ++round) {
    std::array<Sink, 2> sinks;
    const auto write_one = [&](std::size_t i) {
      const bool has_app = (round + static_cast<int>(i)) % 2 == 0;
      write_cluster(tree, files_of(i == 0 ? "a" : "b", has_app), stamp(), {}, sinks[i]);
    };
    std::thread other([&] { write_one(1); });
    write_one(0);
    other.join();
    INFO("round " << round);
    CHECK_FALSE(sinks[0].failed());
    CHECK_FALSE(sinks[1].failed());
    const WrittenTree found = output_files(fs);
    CHECK(found.contains("argocd/apps/a.yaml") == (round % 2 == 0));
    CHECK(found.contains("argocd/apps/b.yaml") == (round % 2 != 0));
  }
}

// Stops a write at every call. Then the next run opens the tree, which finishes what was begun.
template <class Stop>
int stop_outside(const Files& present, Stop stop) {
  const WrittenTree before = output_of(present), after = output_of(kNewOutside);
  for (int n = 0;; ++n) {
    MemoryFs fs;
    if (!present.empty()) write(fs, present);
    stop(fs, n);
    const Run run = write(fs, kNewOutside);
    const bool reached = fs.reached();
    fs.revive();
    INFO("stopped at call " << n << ": " << (fs.log().empty() ? "" : fs.log().back()));
    CHECK((run.result.outcome != Outcome::Written || output_files(fs) == after));
    {
      Sink sink;
      OutputTree tree(fs, "out", "out");
      tree.allow(test_outputs());
      CHECK(tree.open(OutputTree::Access::Write, sink));
    }
    const WrittenTree found = output_files(fs);
    CHECK((found == before || found == after));
    const Run next = write(fs, kNewOutside);
    CHECK(next.codes == "");
    CHECK(output_files(fs) == after);
    CHECK_FALSE(has_stage(fs));
    if (!reached) return n;
  }
}

TEST_CASE("after a kill or an error at any call, the next run finds or makes the old or the new cluster") {
  for (const Files& present : {Files{}, kOldOutside}) {
    const auto die = [](MemoryFs& fs, int n) { fs.die_at(static_cast<std::uint64_t>(n)); };
    CHECK(stop_outside(present, die) > 20);
    for (const int code : {EIO, ENOSPC, EACCES}) {
      const auto fail = [&](MemoryFs& fs, int n) { fs.fail_at(static_cast<std::uint64_t>(n), code); };
      CHECK(stop_outside(present, fail) > 20);
    }
  }
}

}  // namespace
}  // namespace capwright::test
