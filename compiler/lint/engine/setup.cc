// Each part is read once, in the order in which the parts refer to each other.
#include "lint/engine/setup.h"

#include "lint/own/read_rules.h"
#include "pipeline/repository_bounds.h"

namespace capwright::lint {

void Setup::read_own_rules(const Project& project, Stage& stage, bool anywhere) {
  const LintConfig& config = project.config().lint;
  const auto files = own::find_rule_files(project.fs(), project.workspace(), config, stage, anywhere);
  own_rules = own::read_rules(project.fs(), project.workspace(), files, stage);
  selection = selection_of(config, own_rules);
}

void Setup::read_schemas(const Project& project, Stage& stage) {
  schemas = load_schemas(project.fs(), project.workspace(), project.config(), stage);
}

Context Setup::context(Project& project, bool is_whole) {
  Context context{project.options().limits, schemas.registry.get(), catalogue_date(project.own_kubernetes_facts()),
                  project.config().lint.externals, is_whole};
  context.reads = &reads;
  context.kubernetes = project.own_kubernetes_facts();
  context.addons = project.own_addon_catalogue();
  const std::string root = project.workspace().io_path("");
  clusters.emplace(project, folder_in_git(project.fs(), root.empty() ? "." : root), is_ignored);
  context.clusters = &*clusters;
  context.delivery = project.config().delivery;
  if (project.config().delivery == Delivery::ArgoCd) context.argocd = &argocd.emplace(project);
  const std::string output = project.workspace().io_path(project.config().output);
  context.tree_in_git = folder_in_git(project.fs(), output.empty() ? "." : output);
  return context;
}

}  // namespace capwright::lint
