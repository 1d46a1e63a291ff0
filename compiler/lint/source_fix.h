// Which bytes of values files, templates and manifests a finding's repair is about: where the bytes that a rule looked
// at were written, and how a new text is written there.
#pragma once
#include <optional>

#include "diag/diag.h"
#include "lint/finding.h"

namespace capwright::lint {

// Edits in Cluster::sources(). Nothing when there is no repair, or no single place where it could be made: the bytes
// come from several inputs, are computed, hold a secret, or are written in a way that can't be replaced on its line.
std::optional<Fix> source_fix(const Finding& finding);

}  // namespace capwright::lint
