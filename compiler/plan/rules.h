// Runs the rules of changes on the two sides of a comparison.
#pragma once
#include "crd/validate.h"
#include "diff/side.h"
#include "lint/engine/lint.h"

namespace capwright::plan {

// Settings of the rules; must outlive the findings.
struct RuleSettings {
  lint::Context context;
  lint::Selection selection;
  const crd::Admission* admission = nullptr;
};

// A side is null when the cluster doesn't exist on it.
void check_rules(diff::Side* before, diff::Side* after, const RuleSettings& settings, lint::KeptFindings& findings);

}  // namespace capwright::plan
