// Runs the selected rules and the checks of the API server.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crd/validate.h"
#include "lint/engine/claims.h"
#include "lint/engine/fleet_keys.h"
#include "lint/engine/lint_finding.h"
#include "lint/engine/root_causes.h"
#include "lint/engine/rule.h"
#include "lint/engine/selection.h"
#include "lint/own/own_rule.h"

namespace capwright::lint {

// The schemas and webhooks that judge manifests; null: not checked.
struct Server {
  const crd::Registry* registry = nullptr;
  const crd::Admission* admission = nullptr;
};

// Safe to share between threads.
class Linter {
 public:
  // Keeps references to `selection` and the repository's own rules.
  Linter(const Selection& selection, Server server, const own::Rules& own = {});

  // By object, followed by findings about whole clusters. Redacts the secrets that rules find.
  std::vector<Finding> check(Cluster& cluster) const;
  // Removes findings that repeat other findings or follow from them (root_causes.h).
  void keep_root_causes(std::vector<Finding>& findings, const IsReported& is_reported) const;
  // Claims about things that other clusters may share.
  ClusterClaims claims(const Cluster& cluster) const;
  // Keys to find other clusters that it may affect.
  FleetKeys fleet_keys(const Cluster& cluster) const;
  // For clusters that affect each other; for a template set and a cluster that it renders.
  std::vector<Finding> check(const Fleet& fleet) const;
  std::vector<Finding> check(const TemplateSet& set, const Cluster& cluster) const;

  const Selection& selection() const { return selection_; }
  bool runs(const Rule& rule) const;
  // Applies the configured severity. Returns false when the finding isn't selected.
  bool counts(Finding& finding) const;

 private:
  void check_object(const Object& object, Cluster& cluster, std::vector<Finding>& findings) const;
  std::vector<Finding> counted(std::vector<Finding> findings) const;

  // A selected rule.
  struct Chosen {
    const Rule* rule;
    const DiagInfo* info;

    const Rule* operator->() const { return rule; }
  };

  const Selection& selection_;
  Server server_;
  std::vector<Chosen> of_all_objects_, of_clusters_, of_shared_, of_sets_, of_fleets_;
  std::map<std::string_view, std::vector<Chosen>, std::less<>> of_kinds_;
  std::set<const DiagInfo*> saying_more_;  // rules that say more than the server
  std::vector<const own::Rule*> own_;
};

// Checks suppression comments: reports unused and expired ones, and those without a reason.

// The findings about a cluster's comments, as far as one cluster can determine them. Call it after linting the cluster.
// A comment in a layer or template belongs to all clusters: it is unused if none of them uses it.
ClusterClaims claims_of_comments(const Linter& linter, const Cluster& cluster);

// The claims about a comment that no longer hold when it suppresses `info`: that it, or a part of it, is unused.
std::vector<std::string> used_by(const DiagInfo& info, const Suppression& comment, const SourceSet& sources);

}  // namespace capwright::lint
