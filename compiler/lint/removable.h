// Which diagnostics a report may leave out: what lint says, and what is no error. An error of a render stays, since
// there is nothing to look at without it.
#pragma once
#include "diag/catalog.h"

namespace capwright::lint {

inline bool is_removable(const Diagnostic& diagnostic) {
  const std::string_view code = diagnostic.info->code;
  const bool is_rule = diag::find(code) == nullptr;
  return is_rule || code.starts_with("K4") || diagnostic.severity != Severity::Error;
}

}  // namespace capwright::lint
