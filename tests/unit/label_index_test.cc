// An index of labels selects what a comparison with all labels selects.
#include "lint/facts/label_index.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <random>
#include <string>

#include "lint/facts/machine_groups.h"

namespace capwright::lint {
namespace {

struct Words {
  std::mt19937 random{1};
  unsigned below(unsigned most) { return static_cast<unsigned>(random() % most); }
  std::string key() { return fmt::format("k{}", below(3)); }
  std::string value() { return fmt::format("v{}", below(3)); }
};

std::string selector_of(Words& words) {
  constexpr const char* kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist"};
  std::string text = "matchLabels: {";
  for (unsigned i = words.below(3); i > 0; --i) text += fmt::format("k{}: {}, ", i, words.value());
  text += "}, matchExpressions: [";
  for (unsigned i = words.below(2); i > 0; --i)
    text += fmt::format("{{key: {}, operator: {}, values: [{}]}}, ", words.key(), kOperators[words.below(4)],
                        words.value());
  return "{" + text + "]}";
}

TEST_CASE("an index of labels selects the same as a comparison with all") {
  const Context context;
  Words words;
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i)
      text += fmt::format("kind: A\nmetadata: {{name: a{}, namespace: n{}, labels: {{{}: {}, {}x: {}}}}}\n---\n", i,
                          words.below(2), words.key(), words.value(), words.key(), words.value());
    for (int i = 0; i < 12; ++i) text += fmt::format("kind: B\nspec: {}\n---\n", selector_of(words));
    Cluster tree("", context);
    tree.add_manifest("all.yaml", text);
    LabelIndex index;
    std::vector<Labels> all;
    for (const Object* object : tree.of_kind("A")) {
      Labels labels;
      for (const auto& [key, value] : (*object)["metadata.labels"].members()) labels[key] = value.text();
      all.push_back(labels);
      index.add(object->space(), labels);
    }
    for (const Object* object : tree.of_kind("B")) {
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (tree.of_kind("A")[i]->space() == "n1" && selects((*object)["spec"], all[i])) expected.push_back(i);
      }
      CHECK(index.selected("n1", (*object)["spec"]) == expected);
    }
    CHECK(index.selected("n9", (*tree.of_kind("B").front())["spec"]).empty());
  }
}

TEST_CASE("copies of a pool are one group") {
  constexpr const char* kCluster =
      "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: prod}\n---\n"
      "kind: MachineDeployment\nmetadata: {name: a}\nspec: {clusterName: prod, replicas: 2}\n---\n"
      "kind: MachineDeployment\nmetadata: {name: b}\nspec: {clusterName: prod}\n---\n";
  const Context context;
  Cluster tree("", context);
  for (int i = 0; i < 3; ++i) tree.add_manifest(fmt::format("{}.yaml", i), kCluster);
  const MachineGroups& machines = machine_groups(*tree.of_kind("Cluster").front());
  REQUIRE(machines.all().size() == 2);
  CHECK(machines.all()[0].sets.size() == 3);
  CHECK(machines.all()[0].replicas == 6);
  CHECK_FALSE(machines.all()[0].has_unknown_replicas);
  CHECK(machines.all()[1].has_unknown_replicas);
  CHECK(machine_groups(*tree.of_kind("Cluster")[1]).all().empty());
}

}  // namespace
}  // namespace capwright::lint
