// A wrong tombstone deletes a live pool. So this test generates random histories of commits, merges, reverts, renames
// and half-merged trees, and after each render compares the entries with the present and former content of the tree. It
// does so for two clusters in one namespace, whose pools may have the same names, and compares all states of both.
#include "rotation/tombstones.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "files/file_set.h"
#include "files/index.h"
#include "files/previous.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright {
namespace {

using Identity = std::tuple<std::string, std::string, std::string>;  // kind, namespace, name

// The values that users edit.
struct Values {
  std::string cluster = "prod";
  std::string space = "prod";
  std::set<std::string> pools;
  bool health = true;
  bool as_machine_pools = false;
  bool topology = false;
  bool one_file = true;  // pools are in cluster.yaml, or in separate files

  friend bool operator==(const Values&, const Values&) = default;
};

struct ClusterTree {
  std::map<std::string, std::string> files;  // by path in the cluster's directory
  Index index;
};

struct Commit {
  Values values;
  ClusterTree tree;
};

constexpr std::string_view kClusters[] = {"prod", "prod-a"};

// Whether the rule that protects the other cluster applies: its name and a hyphen begin the name of the object.
bool may_be_of_other(std::string_view cluster, std::string_view name) {
  for (const std::string_view other : kClusters) {
    if (other != cluster && rotation::may_belong_to(other, std::nullopt, "prod", name)) return true;
  }
  return false;
}

std::string object(std::string_view kind, const Values& values, std::string_view name) {
  return fmt::format(
      "---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: {}\nmetadata: {{name: {}, namespace: {}}}\n"
      "spec: {{clusterName: {}}}\n",
      kind, name, values.space, values.cluster);
}

std::map<std::string, std::string> manifests_of(const Values& values) {
  std::string cluster = object("KubeadmControlPlane", values, values.cluster + "-control-plane");
  cluster += object("Cluster", values, values.cluster);
  if (values.topology) cluster.insert(cluster.size() - 2, ", topology: {class: a}");
  std::string pools;
  if (values.health) cluster += object("MachineHealthCheck", values, values.cluster + "-control-plane");
  for (const std::string& pool : values.pools) {
    const std::string name = values.cluster + "-" + pool;
    pools += object(values.as_machine_pools ? "MachinePool" : "MachineDeployment", values, name);
    if (values.health) pools += object("MachineHealthCheck", values, name);
  }
  if (values.one_file) return {{"cluster.yaml", cluster + pools}};
  std::map<std::string, std::string> files{{"cluster.yaml", cluster}};
  if (!pools.empty()) files["pools.yaml"] = pools;
  return files;
}

// The objects of a text, and whether they are tombstones.
std::vector<std::pair<Identity, bool>> objects_in(const std::string& text) {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  std::vector<std::pair<Identity, bool>> objects;
  for (const YamlDocument& document :
       read_yaml_documents(sources.add("", text), stage, {ScalarRules::Kubernetes, TextSyntax::Yaml})) {
    if (!document.value.is(Kind::Map)) continue;
    const Value& metadata = *document.value.find("metadata");
    objects.emplace_back(Identity(document.value.find("kind")->text(), metadata.find("namespace")->text(),
                                  metadata.find("name")->text()),
                         rotation::is_tombstone(document.value));
  }
  REQUIRE_FALSE(sink.failed());
  return objects;
}

std::set<Identity> named_in(const std::map<std::string, std::string>& files, bool as_tombstones) {
  std::set<Identity> found;
  for (const auto& [path, text] : files) {
    for (const auto& [identity, is_tombstone] : objects_in(text)) {
      if (is_tombstone == as_tombstones) found.insert(identity);
    }
  }
  return found;
}

PreviousCluster previous_of(const ClusterTree& tree) {
  PreviousCluster previous;
  if (!tree.files.empty()) previous.index = tree.index;
  for (const IndexedFile& file : tree.index.files) {
    const auto found = tree.files.find(file.path);
    PreviousFile& read = previous.files.emplace_back(PreviousFile{file.path, PreviousFile::State::Missing, {}});
    if (found == tree.files.end()) continue;
    read.text = found->second;
    read.state = sha256(read.text) == file.digest ? PreviousFile::State::Intact : PreviousFile::State::Edited;
  }
  return previous;
}

// `before`: the committed tree. `written`: the result of the last render on disk.
ClusterTree render(const Values& values, const ClusterTree& before, const ClusterTree& written, bool forget = false) {
  const PreviousCluster had = previous_of(before), left = previous_of(written);
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  std::vector<RenderedFile> rendered;
  for (const auto& [path, text] : manifests_of(values)) {
    RenderedFile& file = rendered.emplace_back();
    file.path = "clusters/" + values.cluster + "/" + path;
    Segment literal;
    literal.where = {sources.add("main.j2", text), 0, static_cast<std::uint32_t>(text.size())};
    literal.literal = true;
    file.body.append(text, literal);
    file.digest = sha256(text);
  }
  FileSet files(values.cluster, std::move(rendered));
  rotation::ReadManifests manifests;
  for (std::size_t number = 0; number < files.files().size(); ++number) {
    const RenderedFile& file = files.files()[number];
    Stage reading{sources, sink, manifests.arena, manifests.origins, limits};
    const FileId source = sources.add(file.path, file.body.text());
    manifests.files.push_back(
        {number, source, read_yaml_documents(source, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
  }
  RenderTrace trace(1);
  const auto other_owner = [&](std::string_view, std::string_view name) {
    return std::string(may_be_of_other(values.cluster, name) ? "other" : "");
  };
  files = rotation::add_tombstones(std::move(files), manifests, {had, left, forget, other_owner}, trace, stage);
  if (sink.failed() && !forget) {  // a mixed tree may have an index without the file that it lists
    for (const Diagnostic& found : sink.diagnostics())
      REQUIRE((found.info->code == "K205" || found.severity != Severity::Error));
    return render(values, before, written, true);
  }
  REQUIRE_FALSE(sink.failed());
  ClusterTree tree;
  for (const RenderedFile& file : files.files())
    tree.files[std::string(files.path_in_cluster(file))] = file.body.text();
  tree.index = make_index(files, {});
  return tree;
}

class History {
 public:
  History(std::uint32_t seed, std::string_view cluster) : random_(seed), cluster_(cluster) {
    commit(random_values(), {}, {});
  }

  const std::vector<Commit>& commits() const { return commits_; }

  void step() {
    const Commit& ours = any_commit();
    const Commit& theirs = any_commit();
    Values values = ours.values;
    const ClusterTree mix = mixed(ours.tree, theirs.tree), side = coin() ? ours.tree : theirs.tree;
    switch (random_() % 7) {
      case 0: return commit(changed(values), ours.tree, ours.tree);      // a commit on any branch
      case 1: return commit(theirs.values, ours.tree, ours.tree);        // a revert of the values
      case 2: return commit(theirs.values, theirs.tree, theirs.tree);    // a revert of values and tree
      case 3: return commit(merged(values, theirs.values), side, side);  // a merge that takes a side's tree
      case 4: return commit(merged(values, theirs.values), coin() ? ours.tree : mix, mix);  // … that mixes the files
      case 5: return commit(renamed(values), ours.tree, ours.tree);
      default: break;
    }
    const ClusterTree draft = render(changed(values), ours.tree, ours.tree);  // never committed
    commit(changed(values), ours.tree, coin() ? draft : render(changed(values), ours.tree, draft));
  }

 private:
  bool coin() { return random_() % 2 == 0; }
  const Commit& any_commit() { return commits_[random_() % commits_.size()]; }
  // `prod-a-c` may be the pool `a-c` of `prod`, or `c` of `prod-a`.
  std::string any_name() {
    const std::string name(1, static_cast<char>('a' + random_() % 5));
    return cluster_ == "prod" && random_() % 3 == 0 ? "a-" + name : name;
  }

  Values random_values() {
    Values values;
    values.cluster = cluster_;
    for (int i = 0; i < 3; ++i) values.pools.insert(any_name());
    return values;
  }

  Values changed(Values values) {
    const std::string name = any_name();
    switch (random_() % 9) {
      case 0: values.health = !values.health; break;
      case 1: values.space = coin() ? "prod" : "elsewhere"; break;
      case 2: values.as_machine_pools = !values.as_machine_pools; break;
      case 4: values.topology = !values.topology; break;
      case 3: values.one_file = !values.one_file; break;
      default:
        if (values.pools.erase(name) == 0) values.pools.insert(name);
    }
    return values;
  }

  Values renamed(Values values) {
    if (values.pools.empty()) return values;
    values.pools.erase(values.pools.begin());
    values.pools.insert(any_name());
    return values;
  }

  Values merged(Values ours, const Values& theirs) {
    for (const std::string& pool : theirs.pools)
      if (coin()) ours.pools.insert(pool);
    std::erase_if(ours.pools, [&](const std::string& pool) { return !theirs.pools.contains(pool) && coin(); });
    if (coin()) ours.health = theirs.health;
    return ours;
  }

  // Takes each file from one of the sides, or drops it, or mixes the lines of both; takes the index of one of them.
  ClusterTree mixed(const ClusterTree& ours, const ClusterTree& theirs) {
    ClusterTree tree;
    tree.index = coin() ? ours.index : theirs.index;
    for (const auto& [path, text] : ours.files) tree.files[path] = text;
    for (const auto& [path, text] : theirs.files) {
      if (coin()) tree.files[path] = text;
      else if (random_() % 4 == 0) tree.files[path] += text;
      else if (random_() % 4 == 0) tree.files.erase(path);
    }
    return tree;
  }

  void commit(const Values& values, const ClusterTree& before, const ClusterTree& written) {
    const ClusterTree tree = render(values, before, written);
    check(values, before, tree);
    for (const Identity& each : named_in(tree.files, false)) once_there_.insert(each);
    commits_.push_back({values, tree});
  }

  void check(const Values& values, const ClusterTree& before, const ClusterTree& tree) {
    const std::set<Identity> present = named_in(tree.files, false), entries = named_in(tree.files, true);
    for (const Identity& each : entries) {
      INFO(std::get<0>(each) << " " << std::get<1>(each) << "/" << std::get<2>(each));
      CHECK_FALSE(present.contains(each));
      CHECK(once_there_.contains(each));
      CHECK(rotation::may_have_tombstone("cluster.x-k8s.io", std::get<0>(each)));
      CHECK(std::get<1>(each) == values.space);  // the Cluster's namespace
    }
    CHECK((entries.empty() || !values.topology));
    if (!entries.empty()) CHECK(tree.files.begin()->first == rotation::kTombstoneFile);
    CHECK(render(values, before, tree).files == tree.files);
    CHECK(render(values, tree, tree).files == tree.files);
    const ClusterTree without = render(values, tree, tree, true);
    CHECK_FALSE(without.files.contains(std::string(rotation::kTombstoneFile)));
    CHECK(render(values, tree, without).files == without.files);  // also before that is committed
    check_nothing_is_missed(values, previous_of(before), present, entries);
  }

  static void check_nothing_is_missed(const Values& values, const PreviousCluster& previous,
                                      const std::set<Identity>& present, const std::set<Identity>& entries) {
    for (const PreviousFile& file : previous.files) {
      if (file.state != PreviousFile::State::Intact) continue;
      for (const auto& [identity, is_tombstone] : objects_in(file.text)) {
        const auto& [kind, space, name] = identity;
        if (is_tombstone || present.contains(identity) || space != values.space) continue;
        INFO(kind << " " << space << "/" << name);
        const bool may_be = !values.topology && rotation::may_have_tombstone("cluster.x-k8s.io", kind) &&
                            !may_be_of_other(values.cluster, name);
        CHECK(entries.contains(identity) == may_be);
      }
    }
  }

  std::mt19937 random_;
  std::string cluster_;
  std::vector<Commit> commits_;
  std::set<Identity> once_there_;
};

// Any state of one cluster may meet any state of the other.
void check_each_other(const std::vector<Commit>& entries_of, const std::vector<Commit>& objects_of) {
  std::set<Identity> entries;
  for (const Commit& commit : entries_of) entries.merge(named_in(commit.tree.files, true));
  for (const Commit& commit : objects_of) {
    for (const Identity& object : named_in(commit.tree.files, false)) {
      INFO(std::get<0>(object) << " " << std::get<1>(object) << "/" << std::get<2>(object));
      CHECK_FALSE(entries.contains(object));
    }
  }
}

TEST_CASE("tombstones: no history creates one for an object that is in a tree or never was") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    History prod(seed, "prod"), prod_a(seed + 1000, "prod-a");
    for (int i = 0; i < 25; ++i) prod.step();
    for (int i = 0; i < 25; ++i) prod_a.step();
    check_each_other(prod.commits(), prod_a.commits());
    check_each_other(prod_a.commits(), prod.commits());
  }
}

TEST_CASE("tombstones: an object may belong to a cluster whose name begins its own, in the same namespace") {
  using rotation::may_belong_to;
  CHECK(may_belong_to("prod-a", "shared", "shared", "prod-a-ingress"));
  CHECK(may_belong_to("prod-a", std::nullopt, "shared", "prod-a-ingress"));
  CHECK_FALSE(may_belong_to("prod-a", "other", "shared", "prod-a-ingress"));
  CHECK_FALSE(may_belong_to("prod-a", "shared", "shared", "prod-ab-ingress"));
  CHECK_FALSE(may_belong_to("prod-a", "shared", "shared", "prod-a"));
}

}  // namespace
}  // namespace capwright
