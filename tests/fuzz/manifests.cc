// Manifests of two clusters, separated by lines `=====`: every rule, the server's verdicts and the comments that take
// findings back say something with a place, or nothing.
#include <cstddef>
#include <cstdint>

#include "admission/providers.h"
#include "fuzz/trial.h"
#include "lint/engine/lint.h"
#include "pipeline/schemas.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr std::string_view kPaths[] = {"clusters/a/cluster.yaml", "clusters/a/addons/canal/values.yaml",
                                       "clusters/b/cluster.yaml", "clusters/b/secrets.json", "more.yaml"};

// What all runs share: schemas are compiled when the first object of their kind comes, which is no part of a run.
struct Shared {
  crd::Registry registry{built_in_digests(), {}};
  admission::Providers providers{admission::built_in_rules()};
  lint::Selection selection;
  lint::Linter linter{selection, {&registry, &providers}};
};

void run(std::string_view input, Trial& trial) {
  static const Shared shared;
  const lint::Context context{trial.limits, &shared.registry, lint::catalogue_date(), {}, true};
  std::vector<lint::Manifest> manifests;
  for (const std::string_view part : parts_of(input)) {
    if (manifests.size() == std::size(kPaths)) break;
    manifests.push_back({std::string(kPaths[manifests.size()]), std::string(part)});
  }
  std::vector<std::unique_ptr<lint::Cluster>> clusters;
  const std::vector<lint::ManifestGroup> groups = lint::group_manifests(std::move(manifests));
  for (const lint::ManifestGroup& group : groups) clusters.push_back(lint::read_group(group, context));
  std::vector<lint::Cluster*> fleet;
  for (const auto& cluster : clusters) fleet.push_back(cluster.get());
  lint::KeptFindings findings;
  lint::lint_fleet(shared.linter, fleet, lint::Blame::Value, findings);
  for (const auto& cluster : clusters) check_findings(cluster->sink().diagnostics(), cluster->sources(), trial);
  check_findings(findings.diagnostics(), findings.sources(), trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
