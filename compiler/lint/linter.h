// Runs the rules that are selected, and asks what the API server would say.
#pragma once
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "crd/validate.h"
#include "lint/claims.h"
#include "lint/finding.h"
#include "lint/fleet_keys.h"
#include "lint/own/rule.h"
#include "lint/root_causes.h"
#include "lint/rule.h"
#include "lint/selection.h"

namespace capwright::lint {

// What manifests are judged by beside the rules; null: not at all.
struct Server {
  const crd::Registry* registry = nullptr;
  const crd::Admission* admission = nullptr;
};

// Threads share it.
class Linter {
 public:
  // `selection` and the repository's own rules are kept.
  Linter(const Selection& selection, Server server, const own::Rules& own = {});

  // In the order of objects, those of whole clusters behind.
  std::vector<Finding> check(const Cluster& cluster) const;
  // Takes out what other findings say already, or lead to (root_causes.h).
  void keep_root_causes(std::vector<Finding>& findings, const Stands& stands) const;
  // What it says of things that other clusters may have, too.
  ClusterClaims claims(const Cluster& cluster) const;
  // By what it may concern others.
  FleetKeys fleet_keys(const Cluster& cluster) const;
  // Of those that do concern each other; of a template set and a cluster that it renders.
  std::vector<Finding> check(const Fleet& fleet) const;
  std::vector<Finding> check(const TemplateSet& set, const Cluster& cluster) const;

  const Selection& selection() const { return selection_; }
  bool runs(const Rule& rule) const;
  // Gives it the severity that is set, whatever the rule gave it. False when it is not selected.
  bool counts(Finding& finding) const;

 private:
  void check_object(const Object& object, std::vector<Finding>& findings) const;
  std::vector<Finding> counted(std::vector<Finding> findings) const;

  // A rule that is selected.
  struct Chosen {
    const Rule* rule;
    const DiagInfo* info;

    const Rule* operator->() const { return rule; }
  };

  const Selection& selection_;
  Server server_;
  std::vector<Chosen> of_all_objects_, of_clusters_, of_shared_, of_sets_, of_fleets_;
  std::map<std::string_view, std::vector<Chosen>, std::less<>> of_kinds_;
  std::set<const DiagInfo*> saying_more_;  // than the server
  std::vector<const own::Rule*> own_;
};

}  // namespace capwright::lint
