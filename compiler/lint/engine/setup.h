// What lint needs besides the clusters of a repository.
#pragma once
#include <optional>

#include "lint/engine/linter.h"
#include "lint/engine/selection.h"
#include "lint/facts/argocd_folder.h"
#include "lint/model/cluster.h"
#include "lint/model/repository_clusters.h"
#include "lint/model/template_reads.h"
#include "lint/own/own_rule.h"
#include "pipeline/project.h"
#include "pipeline/schemas.h"

namespace capwright::lint {

// Clusters, linters and kept findings refer to it.
struct Setup {
  const crd::Admission& webhooks;
  own::Rules own_rules;
  Selection selection;  // refers to own_rules
  KnownSchemas schemas;
  KnownReads reads;
  IsIgnored is_ignored;                        // set before context()
  std::optional<RepositoryClusters> clusters;  // set by context()
  std::optional<ArgoCdFolder> argocd;          // set by context()

  // `admission` outlives it.
  explicit Setup(const crd::Admission& admission) : webhooks(admission) {}
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  // Read what the project's configuration names; the selection is the configured one. Errors go to the stage's sink.
  // `anywhere`: rules may be outside of the repository.
  void read_own_rules(const Project& project, Stage& stage, bool anywhere = false);
  void read_schemas(const Project& project, Stage& stage);

  Linter linter() const { return Linter(selection, {schemas.registry.get(), &webhooks}, own_rules); }
  // For clusters of this project, which outlives this. `is_whole`: all of them.
  Context context(Project& project, bool is_whole);
};

}  // namespace capwright::lint
