// Properties of every pair of trees: a tree doesn't differ from itself, and applying the changes to one side gives the
// other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "diff/align.h"
#include "diff/compare.h"
#include "diff/shapes.h"
#include "report/diff_report.h"
#include "yaml/write.h"

using namespace capwright;
using namespace capwright::diff;
using Json = nlohmann::json;  // sorted keys: order isn't part of a map's value

namespace {

Json json_of(const Value& value) { return Json::parse(canonical_json(value)); }

// ---- random trees ----
class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  Json map(int depth) {
    Json map = Json::object();
    for (unsigned i = below(5); i > 0; --i) map[key()] = value(depth);
    return map;
  }

  // Some of it changed, at any depth.
  Json changed(const Json& old, int depth) {
    if (below(6) == 0) return value(depth);
    Json tree = old;
    if (tree.is_object()) {
      for (auto& [name, member] : tree.items()) member = changed(Json(member), depth - 1);
      if (below(3) == 0) tree[key()] = value(depth - 1);
      if (below(3) == 0) tree.erase(key());
    } else if (tree.is_array()) {
      for (auto& item : tree) item = below(2) == 0 ? changed(Json(item), depth - 1) : Json(item);
      if (!tree.empty() && below(3) == 0) tree.erase(tree.begin() + below(static_cast<unsigned>(tree.size())));
      if (below(3) == 0) tree.insert(tree.begin() + below(static_cast<unsigned>(tree.size()) + 1), value(depth - 1));
      if (below(4) == 0) std::shuffle(tree.begin(), tree.end(), random_);
    }
    return tree;
  }

  bool with_lists = true;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string key() { return std::string(1, static_cast<char>('a' + below(6))); }

  Json scalar() {
    switch (below(5)) {
      case 0: return below(4);
      case 1: return below(2) == 0;
      case 2: return nullptr;
      case 3: return std::to_string(below(3));  // a text that looks like a number
      default: return "text-" + std::to_string(below(5));
    }
  }

  Json value(int depth) {
    if (depth <= 0) return scalar();
    switch (below(with_lists ? 5 : 3)) {
      case 0:
      case 1: return map(depth - 1);
      case 2: return scalar();
      case 3: return list([&] { return value(depth - 1); });
      default: return named_list(depth);
    }
  }

  template <class Make>
  Json list(Make make) {
    Json list = Json::array();
    for (unsigned i = below(6); i > 0; --i) list.push_back(make());
    return list;
  }

  Json named_list(int depth) {
    return list([&] {
      Json item = map(depth - 1);
      item["name"] = "n" + std::to_string(below(12));
      return item;
    });
  }

  std::mt19937 random_;
};

// ---- applying changes ----
Json apply(const Json& node, const std::vector<const Change*>& changes, std::size_t depth);

// The change to one child of a node.
struct Child {
  std::vector<const Change*> changes;
  bool ends_with(Change::Kind kind, std::size_t depth) const {
    return changes.size() == 1 && changes[0]->path.size() == depth + 1 && changes[0]->kind == kind;
  }
};

Json apply_to_map(Json map, const std::vector<const Change*>& changes, std::size_t depth) {
  std::map<std::string, Child> children;
  for (const Change* change : changes) children[change->path[depth].text].changes.push_back(change);
  for (const auto& [key, child] : children) {
    if (child.ends_with(Change::Kind::Add, depth)) map[key] = json_of(child.changes[0]->after);
    else if (child.ends_with(Change::Kind::Remove, depth)) map.erase(key);
    else map[key] = apply(Json(map[key]), child.changes, depth + 1);
  }
  return map;
}

Json apply_to_list(const Json& list, const std::vector<const Change*>& changes, std::size_t depth) {
  std::map<std::uint32_t, Child> items;  // by number before
  std::map<std::uint32_t, Json> added;   // by number after
  std::vector<bool> removed(list.size(), false);
  for (const Change* change : changes) {
    const Step& step = change->path[depth];
    const bool is_whole = change->path.size() == depth + 1;
    if (is_whole && change->kind == Change::Kind::Add) added[step.index] = json_of(change->after);
    else if (is_whole && change->kind == Change::Kind::Remove) removed[step.index_before] = true;
    else items[step.index_before].changes.push_back(change);
  }
  Json result = Json::array();
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (removed[i]) continue;
    const auto changed = items.find(i);
    result.push_back(changed == items.end() ? list[i] : apply(list[i], changed->second.changes, depth + 1));
  }
  for (const auto& [index, item] : added) {
    const std::size_t at = std::min<std::size_t>(index, result.size());
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(at), item);
  }
  return result;
}

Json apply(const Json& node, const std::vector<const Change*>& changes, std::size_t depth) {
  std::vector<const Change*> below;
  const Change* here = nullptr;
  for (const Change* change : changes) {
    if (change->path.size() == depth) here = change;
    else below.push_back(change);
  }
  if (here != nullptr && here->kind == Change::Kind::Replace) return json_of(here->after);
  Json result = node;
  if (!below.empty()) result = node.is_array() ? apply_to_list(node, below, depth) : apply_to_map(node, below, depth);
  if (here != nullptr && here->kind == Change::Kind::Reorder) {
    const Json ordered = json_of(here->after);
    REQUIRE(std::is_permutation(result.begin(), result.end(), ordered.begin(), ordered.end()));
    return ordered;
  }
  return result;
}

// ---- comparing texts ----
struct Compared {
  Side before{"c"}, after{"c"};
  ClusterDiff diff;

  Compared(const std::string& old_text, const std::string& new_text, const std::string& path = "a.yaml") {
    before.add_file(path, old_text);
    after.add_file(path, new_text);
    diff = compare(&before, &after, {});
  }
  std::vector<const Change*> changes() const {
    std::vector<const Change*> found;
    for (const ObjectPair& pair : diff.pairs) {
      for (const Change& change : pair.changes) found.push_back(&change);
    }
    return found;
  }
};

// The same data with keys in another order, as block YAML with comments.
std::string as_yaml(const Json& tree, const std::string& indent = "") {
  std::string text;
  std::vector<std::string> keys;
  for (const auto& [key, member] : tree.items()) keys.insert(keys.begin(), key);
  for (const std::string& key : keys) {
    const Json& member = tree[key];
    text += indent + "# about " + key + "\n" + indent + key + ":";
    if (member.is_object() && !member.empty()) text += "\n" + as_yaml(member, indent + "  ");
    else text += "   " + member.dump() + "\n";
  }
  return text;
}

using Edits = std::multimap<std::string, std::pair<Json, Json>>;

Edits edits_of(const Compared& compared, bool mirrored) {
  Edits edits;
  for (const Change* change : compared.changes()) {
    std::pair<Json, Json> values(json_of(change->before), json_of(change->after));
    if (mirrored) std::swap(values.first, values.second);
    edits.emplace(text_of(change->path), std::move(values));
  }
  return edits;
}

}  // namespace

TEST_CASE("a tree doesn't differ from itself in any formatting", "[diff]") {
  Trees trees(1);
  for (int round = 0; round < 300; ++round) {
    const Json tree = trees.map(4);
    if (tree.empty()) continue;
    INFO(tree.dump());
    CHECK(Compared(tree.dump(), tree.dump(3)).diff.pairs.empty());
    CHECK(Compared(tree.dump(), as_yaml(tree)).diff.pairs.empty());
  }
}

TEST_CASE("applying the changes to one tree gives the other", "[diff]") {
  Trees trees(2);
  std::size_t changes = 0;
  for (int round = 0; round < 2000; ++round) {
    const Json before = trees.map(4);
    const Json after = round % 3 == 0 ? trees.map(4) : trees.changed(before, 4);
    if (!after.is_object()) continue;
    INFO(before.dump() << "\n" << after.dump());
    const Compared compared(before.dump(), after.dump());
    const auto found = compared.changes();
    changes += found.size();
    CHECK((before == after) == found.empty());
    CHECK(apply(before, found, 0) == after);
  }
  CHECK(changes > 2000);  // the random trees did differ
}

TEST_CASE("an addition in one direction is a removal in the other", "[diff]") {
  Trees trees(3);
  trees.with_lists = false;
  for (int round = 0; round < 500; ++round) {
    const Json before = trees.map(4), after = trees.changed(before, 4);
    if (!after.is_object()) continue;
    INFO(before.dump() << "\n" << after.dump());
    const Compared there(before.dump(), after.dump()), back(after.dump(), before.dump());
    CHECK(edits_of(there, false) == edits_of(back, true));
  }
}

TEST_CASE("every change names its bytes", "[diff]") {
  const Compared compared("a: {b: 1, c: \"x\"}\n", "a:\n  b: 2\n  c: x\n  d: [1]\n");
  const auto changes = compared.changes();
  REQUIRE(changes.size() == 2);
  CHECK(compared.before.sources().text(changes[0]->before_where) == "1");
  CHECK(compared.after.sources().text(changes[0]->after_where) == "2");
  CHECK(text_of(changes[1]->path) == "a.d");
  CHECK_FALSE(changes[1]->before_where.known());
  CHECK(compared.after.sources().text(changes[1]->after_where) == "[1]");
}

TEST_CASE("files that are equal on both sides are not read", "[diff]") {
  Side before("c"), after("c");
  for (Side* side : {&before, &after}) {
    side->add_file("same.yaml", "kind: A\n");
    side->add_file("other.yaml", side == &before ? "kind: B\n" : "kind: C\n");
  }
  compare(&before, &after, {});
  CHECK(before.objects().size() == 1);
  CHECK(after.objects().size() == 1);
}

TEST_CASE("alignment keeps both orders and loses nothing", "[diff]") {
  std::mt19937 random(4);
  Arena arena;
  for (int round = 0; round < 500; ++round) {
    std::vector<Value> before, after;
    for (auto* list : {&before, &after}) {
      for (auto left = random() % 9; left > 0; --left) list->push_back(Value::integer(static_cast<int>(random() % 4)));
    }
    std::uint32_t next_before = 0, next_after = 0;
    for (const ItemPair& pair : align_items(before, after)) {
      if (pair.before != ItemPair::kGone) CHECK(pair.before == next_before++);
      if (pair.after != ItemPair::kGone) CHECK(pair.after == next_after++);
    }
    CHECK(next_before == before.size());
    CHECK(next_after == after.size());
  }
}

TEST_CASE("lists that are too long for a table are compared in order", "[diff]") {
  std::vector<Value> before, after;
  for (int i = 0; i < 3000; ++i) before.push_back(Value::integer(i)), after.push_back(Value::integer(-i - 1));
  CHECK(align_items(before, after).size() == 3000);
}

TEST_CASE("the name of a cluster is replaced only as a whole word", "[diff]") {
  CHECK(without_name("prod-a-workers", "prod-a") == "<cluster>-workers");
  CHECK(without_name("x.prod-a", "prod-a") == "x.<cluster>");
  CHECK(without_name("prod-ab", "prod-a") == "prod-ab");
  CHECK(without_name("xprod-a", "prod-a") == "xprod-a");
  CHECK(without_name("prod-a/prod-a", "prod-a") == "<cluster>/<cluster>");
  CHECK(without_name("a", "") == "a");
}

TEST_CASE("patterns of paths", "[diff]") {
  std::string why;
  const auto matches = [&](std::string_view pattern, const Path& path) {
    const auto read = PathPattern::read(pattern, why);
    REQUIRE(read);
    return read->matches(path);
  };
  const auto key = [](std::string text) {
    Step step;
    step.text = std::move(text);
    return step;
  };
  Step item = key("name=x");
  item.kind = Step::Kind::Keyed;
  const Path path{key("spec"), key("containers"), item, key("image")};
  for (const std::string_view right :
       {"spec", "spec.containers", "spec.containers[*]", "spec.containers[name=x].image", "**.image", "spec.**.image",
        "*.containers", "spec.cont*[name=*].image", "spec.**"})
    CHECK(matches(right, path));
  for (const std::string_view wrong : {"image", "spec.containers.image", "spec.containers[name=y]", "spec.image",
                                       "spec.containers[*].image.tag", "spe"})
    CHECK_FALSE(matches(wrong, path));
  const Path label{key("metadata"), key("labels"), key("example.com/a")};
  CHECK(matches("metadata.labels[\"example.com/a\"]", label));
  CHECK(matches("metadata.labels[\"example.com/*\"]", label));
  CHECK(matches("metadata.labels[*]", label));
  CHECK(text_of(label) == "metadata.labels[\"example.com/a\"]");
  CHECK_FALSE(PathPattern::read("", why));
  CHECK_FALSE(PathPattern::read("a..b", why));
  CHECK_FALSE(PathPattern::read("a[b", why));
  CHECK_FALSE(PathPattern::read(":a", why));
  const auto object = PathPattern::read("Machine*/prod-*:spec", why);
  REQUIRE(object);
  CHECK(object->matches_object("MachineDeployment", "prod-a"));
  CHECK_FALSE(object->matches_object("MachineDeployment", "lab"));
  CHECK_FALSE(object->matches_object("Cluster", "prod-a"));
}

TEST_CASE("Markdown fits every budget, and ends between characters", "[diff]") {
  std::vector<ClusterRecord> records;
  for (int i = 0; i < 40; ++i) {
    ClusterRecord& cluster = records.emplace_back();
    cluster.cluster = "cluster-" + std::to_string(i);
    cluster.differs = true;
    ObjectRecord& object = cluster.objects.emplace_back();
    object.kind = "Kind" + std::to_string(i);
    object.name = cluster.cluster + "-\xc3\xa4";
    object.counts = true;
    ChangeRecord& change = object.changes.emplace_back();
    change.path = change.shape = "spec.version";
    change.before = {true, "\"v1\"", "v1", 2};
    change.after = {true, "\"v2\"", "v2", 2};
  }
  const report::FleetDifferences all{records, 50, 0, 0, "a", "b"};
  const std::string whole = report::diff_as_markdown(all, 0);
  for (std::size_t budget = 1; budget <= whole.size() + 10; ++budget) {
    const std::string text = report::diff_as_markdown(all, budget);
    REQUIRE(text.size() <= budget);
    REQUIRE((text.empty() || (static_cast<unsigned char>(whole[0]) & 0xc0) != 0x80));
    REQUIRE_NOTHROW(Json(text).dump());  // no partial characters
  }
  CHECK(report::diff_as_markdown(all, whole.size()) == whole);
  CHECK(report::diff_as_markdown(all, 1000).find("did not fit") != std::string::npos);
}
