// Which diagnostics a report may leave out: what lint says, and what is no error. An error of a render stays, since
// there is nothing to look at without it.
#pragma once
#include <algorithm>

#include "diag/catalog.h"

namespace capwright::lint {

inline bool is_removable(const DiagInfo& info, Severity severity) {
  const bool is_rule = diag::find(info.code) == nullptr;
  return is_rule || info.code.starts_with("K4") || severity != Severity::Error;
}
// What a warning is made to by `lint.severities` doesn't count here.
inline bool is_removable(const Diagnostic& diagnostic) {
  return is_removable(*diagnostic.info, std::min(diagnostic.severity, diagnostic.info->severity));
}

}  // namespace capwright::lint
