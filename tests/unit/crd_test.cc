// Verdicts that spec files can't test: the served releases, places of paths, and concurrent use.
#include <catch2/catch.hpp>
#include <thread>

#include "crd/program.h"
#include "crd/validate.h"
#include "pipeline/schemas.h"
#include "yaml/read.h"

using namespace capwright;
using crd::Target;

namespace {

std::vector<std::string> served(std::vector<Target> targets, std::string_view provider) {
  const crd::Registry registry(built_in_digests(), targets);
  std::vector<std::string> found;
  for (const std::string_view release : registry.served_releases()) {
    if (release.starts_with(std::string(provider) + "-")) found.emplace_back(release);
  }
  return found;
}

using Names = std::vector<std::string>;

constexpr const char* kCluster = R"(
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: a
  labels: {tier/x: prod}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: a}
  clusterNetwork:
    pods:
      cidrBlocks: [10.0.0.0/8, 10.1.0.0/16]
  pauseed: true
)";

struct Bench {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Stage stage{sources, sink, arena, origins, limits};

  Value read(std::string text) {
    return read_yaml(sources.add("object.yaml", std::move(text)), stage, {ScalarRules::Kubernetes});
  }
  std::string at(const Value& object, std::string_view path) {
    return std::string(sources.text(crd::place_of(object, path, stage)));
  }
};

std::string judged(const crd::Registry& registry) {
  Bench bench;
  const crd::Verdict verdict = crd::validate({.object = bench.read(kCluster)}, registry, bench.stage);
  std::string text;
  for (const crd::Finding& finding : verdict.findings) text += finding.path + ": " + finding.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("the newest stable release of each provider is served, unless a target says otherwise") {
  CHECK(served({}, "capo") == Names{"capo-v0.14.7"});
  CHECK(served({{"capo", "0.14"}}, "capo") == Names{"capo-v0.14.7"});
  CHECK(served({{"capo", "v0.15"}}, "capo") == Names{"capo-v0.15.0-beta.0"});
  CHECK(served({{"capo", "0.15.0-beta.0"}}, "capo") == Names{"capo-v0.15.0-beta.0"});
  CHECK(served({{"capo", "0.1"}}, "capo").empty());
}

TEST_CASE("a target applies to the parts of a provider with its name") {
  CHECK(served({{"capi", "1.14"}}, "capi") == Names{"capi-v1.14.2", "capi-kubeadm-v1.14.2"});
  CHECK(served({{"capi", "1.13"}}, "capi").empty());
  CHECK(served({{"capi", "1.13"}, {"capi-kubeadm", "1"}}, "capi") == Names{"capi-kubeadm-v1.14.2"});
}

TEST_CASE("targets without a matching release are reported") {
  const std::vector<Target> targets{{"capi", "1.14"}, {"capo", "0.9"}, {"cappuccino", ""}};
  const crd::Registry registry(built_in_digests(), targets);
  REQUIRE(registry.unknown_targets().size() == 2);
  CHECK(registry.unknown_targets()[0].provider == "capo");
  CHECK(registry.unknown_targets()[1].provider == "cappuccino");
}

TEST_CASE("of two releases with the same kind, the later one wins") {
  std::vector<crd::DigestFile> files(built_in_digests().begin(), built_in_digests().end());
  files.push_back({"schemas/crds/ours-v1.0.0/kinds.tsv",
                   "cluster.x-k8s.io\tCluster\tclusters\tNamespaced\tv1beta2\tserved,storage\n"});
  const crd::Registry registry(files, {});
  CHECK(registry.find("cluster.x-k8s.io/v1beta1", "Cluster") == nullptr);
  REQUIRE(registry.find("cluster.x-k8s.io/v1beta2", "Cluster") != nullptr);
  CHECK(registry.find("cluster.x-k8s.io/v1beta2", "Cluster")->release == "ours-v1.0.0");
  CHECK(registry.find("cluster.x-k8s.io/v1beta2", "Machine")->release == "capi-v1.14.2");
}

TEST_CASE("every built-in digest is readable, and its rules compile") {
  const std::vector<Target> beta{{"capo", "0.15"}};
  for (const std::vector<Target>& targets : {std::vector<Target>{}, beta}) {
    const crd::Registry registry(built_in_digests(), targets);
    for (const crd::KindVersion& kind : registry.kinds()) {
      INFO(kind.release << " " << kind.kind << " " << kind.version);
      if (!kind.served) continue;
      const crd::Schema* schema = registry.schema(kind);
      REQUIRE(schema != nullptr);
      for (const crd::RuleSet& rules : schema->rule_sets) CHECK(rules.faults().empty());
    }
  }
}

TEST_CASE("kinds are found by group and version") {
  const crd::Registry registry(built_in_digests(), {});
  REQUIRE(registry.find("cluster.x-k8s.io/v1beta1", "Cluster") != nullptr);
  CHECK(registry.find("cluster.x-k8s.io/v1beta1", "Cluster")->deprecated);
  CHECK(registry.find("cluster.x-k8s.io/v1alpha4", "Cluster") == nullptr);
  CHECK(registry.find("v1", "Secret")->api_version() == "v1");
  CHECK(registry.versions("cluster.x-k8s.io", "Cluster").size() == 2);
}

TEST_CASE("the place of a path is its value, its key, or its nearest ancestor") {
  Bench bench;
  const Value object = bench.read(kCluster);
  CHECK(bench.at(object, "spec.clusterNetwork.pods.cidrBlocks[1]") == "10.1.0.0/16");
  CHECK(bench.at(object, ".spec.clusterNetwork.pods") == "pods");
  CHECK(bench.at(object, "spec.clusterNetwork.services.cidrBlocks") == "clusterNetwork");
  CHECK(bench.at(object, "metadata.labels[tier/x]") == "prod");
  CHECK(bench.at(object, "spec.clusterNetwork.pods.cidrBlocks[7]") == "cidrBlocks");
  CHECK(bench.at(object, "status") == "apiVersion: cluster.x-k8s.io/v1beta2");
}

TEST_CASE("threads share a registry", "[threads]") {
  const crd::Registry registry(built_in_digests(), {});
  std::vector<std::string> answers(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& answer : answers) threads.emplace_back([&] { answer = judged(registry); });
  }
  CHECK(answers[0] == "spec.pauseed: unknown field \"spec.pauseed\"\n");
  for (const std::string& answer : answers) CHECK(answer == answers[0]);
}
