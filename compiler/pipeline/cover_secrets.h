// Keeps findings from showing secrets: redacts them in lines of sources, and in messages that quote them.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "pipeline/secret_lines.h"
#include "secrets/known_secrets.h"
#include "source/source.h"
#include "value/secret_texts.h"
#include "value/value.h"

namespace capwright {

// The texts that messages about a cluster must not repeat: the secrets among its values, and the output of templates
// for them.
SecretTexts known_secrets(const Value& values, const KnownSecrets&, const SourceSet&);

// Redacts secrets in the messages of a cluster's findings. Returns their places in the lines around these findings, to
// add to the known ones.
std::vector<Span> cover_messages(std::vector<Diagnostic>&, const Value& values, const KnownSecrets&, const SourceSet&);

// The source lines that reports show around findings, where secrets may also occur at other places.
class ShownLines {
 public:
  // The places of `texts`, and of credentials in URLs, in those lines around a finding that no earlier finding had.
  std::vector<Span> secrets_around(const Diagnostic& diagnostic, const SourceSet& sources, const SecretTexts& texts);

 private:
  bool has_line_of(Span place) const;

  std::map<std::pair<FileId, std::uint32_t>, std::uint32_t> known_;  // from the start of each line to its end
};

// Adds every word of the secret places that a finding is about, or that start on its line: in an unreadable text, the
// extent of a secret is unknown.
void add_words_at(const Diagnostic& about, const std::vector<Span>& secrets, const SourceSet& sources,
                  SecretTexts& texts);

// Redacts `texts`, and credentials in URLs, in the message of one finding.
void cover_message(Diagnostic& diagnostic, const SecretTexts& texts);

// For a cluster whose layers can't be read, so that no schema could mark their secrets. Returns every text after a key
// that any template set marks as secret, or below a section with such keys.
std::vector<Span> unread_secrets(const SourceSet&, const SecretNames&);

// Whether a text, which may be invalid YAML, may be or contain a Secret: it has `stringData`, or a kind similar to it.
bool may_be_secret(std::string_view manifest);
// Whether the kind of an object is `Secret`, or a misspelling of it: `Secert`.
bool means_secret(std::string_view kind);
// Whether the value of this key in a Secret is public: `metadata`, `type` and the like, `sops`.
bool is_public_in_secret(std::string_view key);
// Whether it also has a field that may be its data; references to Secrets have none.
bool may_hold_secret_data(std::string_view manifest);

// Places in such a text that may be data of Secrets: its lines except for a few keys. Empty for other texts.
std::vector<Span> unread_manifest_secrets(Span text, const SourceSet& sources);

// For files that aren't read as manifests, but may be manifests: passed by mistake, or among CRDs. Returns the places
// of possible secrets in `sources`, and redacts them in the messages of findings about these files.
std::vector<Span> cover_manifests_named_by_mistake(std::vector<Diagnostic>& diagnostics, const SourceSet& sources);

}  // namespace capwright
