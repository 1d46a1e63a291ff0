// Maps a finding's repair to edits in values files, templates and manifests: finds where the bytes were written, and
// formats the new text for that place.
#pragma once
#include <optional>

#include "diag/diag.h"
#include "lint/engine/finding.h"

namespace capwright::lint {

// Edits in Cluster::sources(). Empty when there is no repair, or no single place to edit: the bytes come from several
// inputs, are computed, contain a secret, or can't be replaced within their line.
std::optional<Fix> source_fix(const Finding& finding);

}  // namespace capwright::lint
