// Which diagnostics a report may leave out: what lint says, and what is no error. An error of a render stays, since
// there is nothing to look at without it.
#pragma once
#include "diag/catalog.h"

namespace capwright::lint {

inline bool is_removable(const DiagInfo& info, Severity severity) {
  const bool is_rule = diag::find(info.code) == nullptr;
  return is_rule || info.code.starts_with("K4") || severity != Severity::Error;
}
inline bool is_removable(const Diagnostic& diagnostic) { return is_removable(*diagnostic.info, diagnostic.severity); }

}  // namespace capwright::lint
