// Which diagnostics a report may leave out: those of lint, and those that aren't errors. An error of a render stays,
// because there is nothing to lint without the render.
#pragma once
#include <algorithm>

#include "diag/catalog.h"

namespace capwright::lint {

inline bool is_removable(const DiagInfo& info, Severity severity) {
  const bool is_rule = diag::find(info.code) == nullptr;
  return is_rule || info.code.starts_with("K4") || severity != Severity::Error;
}
// Uses the original severity: raising a warning in `lint.severities` doesn't count.
inline bool is_removable(const Diagnostic& diagnostic) {
  return is_removable(*diagnostic.info, std::min(diagnostic.severity, diagnostic.info->severity));
}

}  // namespace capwright::lint
