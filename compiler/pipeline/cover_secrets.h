// No finding shows a secret: the lines of sources are masked where secrets stand, and messages where they quote one.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "pipeline/compile_cluster.h"
#include "value/secret_texts.h"

namespace capwright {

// Covers secrets in what the cluster's findings say. To be called when they are complete.
void cover_messages(CompiledCluster& cluster);

// What the words about a cluster may not repeat: the secrets among its values, and what templates made of them.
SecretTexts known_secrets(const CompiledCluster& cluster);

// The lines that reports show around findings, where a secret may also stand at places that aren't its own.
class ShownLines {
 public:
  // The places of `texts`, and of what is secret in URLs, in those lines of one finding that no finding before it had.
  std::vector<Span> secrets_around(const Diagnostic& diagnostic, const SourceSet& sources, const SecretTexts& texts);

 private:
  bool has_line_of(Span place) const;

  std::map<std::pair<FileId, std::uint32_t>, std::uint32_t> known_;  // lines by where they begin: where they end
};

// Adds every word of the places of secrets that a finding is about, or that begin on its line: of a text that can't be
// read nobody knows what a whole secret is.
void add_words_at(const Diagnostic& about, const std::vector<Span>& secrets, const SourceSet& sources,
                  SecretTexts& texts);

// Covers `texts`, and what is secret in URLs, in the words of one finding.
void cover_message(Diagnostic& diagnostic, const SecretTexts& texts);

// For a cluster whose layers could not be read, so that no schema has told what of them is secret: whatever stands
// behind a key that any template set calls secret, or below a key that holds such keys, is taken for one.
void cover_unread_secrets(CompiledCluster& cluster, Project& project);

// Whether a text, which may not be YAML, may be a Secret or have one in it: `stringData`, or a kind that is nearly
// that.
bool may_be_secret(std::string_view manifest);
// Whether the kind of an object is `Secret`, or was meant for it: `Secert`.
bool means_secret(std::string_view kind);
// Whether what stands below this key of a Secret is public: `metadata`, `type` and the like, `sops`.
bool is_public_in_secret(std::string_view key);
// Whether it also has something that may be its data; references to Secrets have none.
bool may_hold_secret_data(std::string_view manifest);

// Places in such a text that may be data of Secrets: of its lines all but a few keys. None of another text.
std::vector<Span> unread_manifest_secrets(Span text, const SourceSet& sources);

// For files that aren't read as manifests, but may be ones: named by mistake, or among CRDs. The places of what may be
// a secret in `sources`; the words of findings that are about these are covered.
std::vector<Span> cover_manifests_named_by_mistake(std::vector<Diagnostic>& diagnostics, const SourceSet& sources);

}  // namespace capwright
