// Files of rules, then manifests, separated by lines `=====`: what is wrong with a rule has a place in its file; what
// can be compiled finds something with a place in the manifests, or nothing; examples are as they say, or have a place.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fuzz/trial.h"
#include "lint/engine/lint.h"
#include "lint/own/read_rules.h"
#include "lint/own/run.h"
#include "source/memory_fs.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr std::string_view kObjects = R"(apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: general, namespace: fleet, labels: {team: a, example.com/tier: lab}}
spec: {replicas: 3, paused: false, ratio: 0.5, none: null, pools: [{name: x, count: 2}, {name: y}]}
---
apiVersion: v1
kind: Secret
metadata: {name: general, namespace: fleet}
stringData: {password: Xk29sLq81mZp04Qw}
---
apiVersion: v1
kind: Namespace
metadata: {name: fleet, labels: {tier: lab}}
)";

void find(const lint::own::Rules& rules, std::vector<lint::Manifest> manifests, Trial& trial) {
  lint::Selection selection;
  for (const lint::own::Rule& rule : rules) {
    selection.select.emplace_back(rule.name);
    selection.own_rules.push_back(&rule.info);
  }
  const lint::Linter linter(selection, {}, rules);
  const lint::Context context{trial.limits, nullptr, lint::catalogue_date(), {}, true};
  for (const lint::ManifestGroup& group : lint::group_manifests(std::move(manifests))) {
    const auto cluster = lint::read_group(group, context);
    lint::lint_cluster(linter, *cluster, lint::Blame::Value);
    check_findings(cluster->sink().diagnostics(), cluster->sources(), trial);
    for (const Diagnostic& diagnostic : cluster->sink().diagnostics())
      expect(diagnostic.message.find("Xk29sLq81mZp04Qw") == std::string::npos, "no message shows a secret");
  }
  for (const lint::own::Rule& rule : rules) lint::own::check_examples(rule, context, trial.stage);
}

void run(std::string_view input, Trial& trial) {
  const std::vector<std::string_view> parts = parts_of(input);
  MemoryFs fs;
  fs.add("lint-rules/a.yaml", parts.front());
  std::vector<lint::Manifest> manifests = {{"clusters/a/cluster.yaml", std::string(kObjects)}};
  for (std::size_t i = 1; i < parts.size() && i < 3; ++i)
    manifests.push_back({"clusters/a/" + std::to_string(i) + ".yaml", std::string(parts[i])});
  const std::vector<std::string> files = lint::own::find_rule_files(fs, {}, {}, trial.stage);
  const auto read = std::make_shared<const lint::own::Rules>(lint::own::read_rules(fs, {}, files, trial.stage));
  trial.outlived = read;
  const lint::own::Rules& rules = *read;
  for (const lint::own::Rule& rule : rules) trial.account += rule.page;
  if (!trial.sink.failed() && !rules.empty()) find(rules, std::move(manifests), trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
