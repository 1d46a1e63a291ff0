// A rule: one file rules/<name>.cc and one line in rules.def. README.md explains how to write one.
#pragma once
#include <string_view>

#include "diag/diag.h"
#include "lint/engine/lint_finding.h"
#include "lint/model/cluster.h"

namespace capwright::lint {

class ClaimReport;
class FleetKeys;

struct Rule {
  std::string_view code;  // "CAP401": never changes
  std::string_view name;  // "even-control-plane": the name of the file, with hyphens
  Severity severity = Severity::Error;
  std::string_view since;       // the first release with the rule
  std::string_view kinds = {};  // for check_object, separated by spaces; empty: every object
  // Markdown with fixed headings: What it does (one sentence first), Why is this bad?, Example, Use instead, and, where
  // they apply, Options and Fix. Its blocks are tests; further cases are in tests/spec/lint/rules/<name>.md.
  std::string_view docs;

  // The lowest safety of its fixes; DisplayOnly: it has no fixes.
  Safety fixes = Safety::DisplayOnly;

  // It reports more than the API server: the server's finding about the same place is removed (root_causes.h).
  bool instead_of_server = false;

  // The checks; most rules have one. Objects are checked first, then clusters, then the fleet.
  void (*check_object)(const Object&, Report&) = nullptr;
  void (*check_cluster)(const Cluster&, Report&) = nullptr;
  // For things that several clusters share: keys of a layer.
  void (*check_shared)(const Cluster&, ClaimReport&) = nullptr;
  // For a template set, with a cluster that it renders.
  void (*check_set)(const TemplateSet&, const Cluster&, Report&) = nullptr;
  // For clusters against each other: those whose fleet_keys() match, and perhaps others.
  void (*check_fleet)(const Fleet&, Report&) = nullptr;
  void (*fleet_keys)(const Cluster&, FleetKeys&) = nullptr;
};

// Starts the definition of a rule: `CW_LINT_RULE(even_control_plane){.code = "CAP401", …};`. Each rule has a namespace
// of its own, `lint::rules::even_control_plane`, so that all of them may call their function `check` in one unity
// build.
#define CW_LINT_RULE(NAME) \
  extern const Rule NAME;  \
  constexpr Rule NAME

}  // namespace capwright::lint
