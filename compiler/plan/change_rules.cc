// Builds the clusters that rules check from the sides: from a render with its source map, otherwise from manifests.
#include "files/path_rules.h"
#include "plan/plan_cluster.h"

namespace capwright::plan {
namespace {

std::unique_ptr<lint::Cluster> cluster_of(diff::Side& side, const lint::Context& context) {
  if (side.compiled() != nullptr) return std::make_unique<lint::Cluster>(*side.compiled(), context);
  auto cluster = std::make_unique<lint::Cluster>(side.cluster(), context);
  for (const diff::SideFile& file : side.files()) {
    if (has_yaml_name(file.path)) cluster->add_manifest(side.shown_path(file), std::string(side.text(file)));
  }
  return cluster;
}

}  // namespace

void check_rules(diff::Side* before, diff::Side* after, const RuleSettings& settings, lint::KeptFindings& findings) {
  const auto old = before != nullptr ? cluster_of(*before, settings.context) : nullptr;
  const auto now = after != nullptr ? cluster_of(*after, settings.context) : nullptr;
  lint::lint_change({old.get(), now.get(), settings.admission}, settings.selection, lint::Blame::Value, findings);
}

}  // namespace capwright::plan
