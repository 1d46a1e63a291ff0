// Maps a finding's repair to edits in values files, templates and manifests: finds where the bytes were written, and
// formats the new text for that place.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "lint/engine/lint_finding.h"

namespace capwright::lint {

// Edits in Cluster::sources(). Empty when there is no repair, or no single place to edit: the bytes come from several
// inputs, are computed, contain a secret, or can't be replaced within their line.
std::optional<Fix> source_fix(const Finding& finding);

// Which values decide a field that a built-in template set renders, and where they are written or belong. Users
// edit values: the set's templates aren't in their repository.

struct ValuesKey {
  std::string key;          // "api_server.allowed_cidrs"; empty: no value decides it
  std::string_view advice;  // what to set, from schemas/catalogue/value-keys.yaml; may be empty
  Span where;               // where the key is written, else the nearest place above it in the values
  bool is_written = false;
};

// `maker`: the template line or schema default of a built-in set that made the place. `code`: the rule that asks.
ValuesKey values_key_of(const Place& place, Span maker, std::string_view code);

}  // namespace capwright::lint
