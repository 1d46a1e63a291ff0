// Which rules are enabled, with which severity: the options --select and --ignore, and `lint:` of capwright.yaml.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "lint/own/rule.h"
#include "pipeline/config.h"

namespace capwright::lint {

// Whether a selector matches the diagnostic: a code (`CAP401`), a prefix with all letters of the code (`CAP4`, `K`), or
// a name (`even-control-plane`).
bool names(std::string_view selector, const DiagInfo& info);

struct Selection {
  std::vector<std::string> select;  // empty: all
  std::vector<std::string> ignore;
  std::vector<std::pair<std::string, std::vector<std::string>>> ignore_at;  // a glob of paths, and selectors
  std::vector<std::pair<std::string, Severity>> severities;                 // by selector
  std::vector<const DiagInfo*> own_rules;  // the repository's own rules, which selectors may name

  // The longer selector wins when both lists match.
  bool selects(const DiagInfo& info) const;
  bool ignores_at(std::string_view path, const DiagInfo& info) const;
  // The configured severity. Empty for most: then the severity of the rule or the finding applies.
  std::optional<Severity> severity(const DiagInfo& info) const;
};

// The configured selection; `own` must outlive it.
Selection selection_of(const LintConfig& configured, const own::Rules& own);

// Whether the selector matches any rule or diagnostic of the catalogue, or one of the repository's own rules; otherwise
// returns suggestions.
bool is_selector(std::string_view selector, const Selection& known = {});
// For a valid selector: whether a report may leave out any diagnostic that it matches.
bool can_be_ignored(std::string_view selector, const Selection& known = {});
std::string nearest_selector(std::string_view selector, const Selection& known = {});

}  // namespace capwright::lint
