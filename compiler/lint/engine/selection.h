// The options of a lint run: which rules are enabled, with which severity (--select, --ignore, and `lint:` of
// capwright.yaml), and which place of a finding is shown first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog.h"
#include "diag/diag.h"
#include "lint/own/own_rule.h"
#include "pipeline/config.h"
#include "pipeline/template_set.h"

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

// Which place of a finding is shown first.

// The value that produced the bytes, the template line that printed it, or the rendered line.
enum class Blame : std::uint8_t { Value, Template, Rendered };

// Which diagnostics a report may leave out: those of lint, and those that aren't errors. An error of a render stays,
// because there is nothing to lint without the render.
// Nor may it leave out CAP819: the change that brings a deletion must not hide it.
bool is_permanent(const DiagInfo&);

inline bool is_removable(const DiagInfo& info, Severity severity) {
  if (is_permanent(info)) return false;
  const bool is_rule = diag::find(info.code) == nullptr;
  return is_rule || info.code.starts_with("K4") || severity != Severity::Error;
}
// Uses the original severity: raising a warning in `lint.severities` doesn't count.
inline bool is_removable(const Diagnostic& diagnostic) {
  return is_removable(*diagnostic.info, std::min(diagnostic.severity, diagnostic.info->severity));
}

// Warnings of a render, such as a range with host bits (S091), count as findings of rules: selection, severities,
// ignored paths and suppressions apply to them.

// Removes findings that aren't selected, and applies the configured severities. Errors of a render stay unchanged.
// `values_path`: of the rendered cluster; empty: there is none.
void choose(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const Selection& selection,
            std::string_view values_path = {});

// The selected findings among the diagnostics of a template set.
std::vector<Diagnostic> findings_of(const TemplateSet& set, const Selection& selection, std::string_view as_of);

}  // namespace capwright::lint
