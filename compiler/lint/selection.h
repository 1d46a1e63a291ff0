// Which rules count, and how much: the options --select and --ignore, and `lint:` of capwright.yaml.
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

// Whether a selector names it: a code (`CAP401`), the beginning of one (`CAP4`; of letters all, such as `K`), or a name
// (`even-control-plane`).
bool names(std::string_view selector, const DiagInfo& info);

struct Selection {
  std::vector<std::string> select;  // empty: all
  std::vector<std::string> ignore;
  std::vector<std::pair<std::string, std::vector<std::string>>> ignore_at;  // a glob of paths, and selectors
  std::vector<std::pair<std::string, Severity>> severities;                 // by selector
  std::vector<const DiagInfo*> own_rules;  // of the repository's own rules, for selectors to name

  // The longer selector decides when both lists have one.
  bool selects(const DiagInfo& info) const;
  bool ignores_at(std::string_view path, const DiagInfo& info) const;
  // What it is set to; nothing is set for most, and then what the rule or the finding itself says holds.
  std::optional<Severity> severity(const DiagInfo& info) const;
};

// What the configuration says, for a repository with these rules of its own, which are outlived.
Selection selection_of(const LintConfig& configured, const own::Rules& own);

// Whether any rule or diagnostic of the catalogue, or one of the repository's own rules, is named; suggestions
// otherwise.
bool is_selector(std::string_view selector, const Selection& known = {});
// Of what is one: whether a report may leave out any that it names.
bool can_be_ignored(std::string_view selector, const Selection& known = {});
std::string nearest_selector(std::string_view selector, const Selection& known = {});

}  // namespace capwright::lint
