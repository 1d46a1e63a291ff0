// Secrets in texts that may be manifests, without parsing them: they may be invalid.
#pragma once
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::secrets {

// Whether a text, which may be invalid YAML, may be or contain a Secret: it has `stringData`, or a kind similar to it.
bool may_be_secret(std::string_view manifest);
// Whether it also has a field that may be its data; references to Secrets have none.
bool may_hold_secret_data(std::string_view manifest);
// Whether the kind of an object is `Secret`, or a misspelling of it: `Secert`.
bool means_secret(std::string_view kind);
// Whether the value of this key in a Secret is public: `metadata`, `type` and the like, `sops`.
bool is_public_in_secret(std::string_view key);

// Places in such a text that may be data of Secrets: its lines except for a few keys. Empty for other texts.
std::vector<Span> unread_manifest_secrets(Span text, const SourceSet& sources);
// For files that aren't read as manifests, but may be manifests: passed by mistake, or among CRDs.
std::vector<Span> unread_manifest_secrets(const SourceSet& sources);

}  // namespace capwright::secrets
