// The gate of everything that is shown: a report takes findings only together with the Redactor of their sources.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "secrets/known_secrets.h"
#include "secrets/texts.h"
#include "source/source.h"
#include "value/value.h"

namespace capwright::secrets {

// Places of secrets in sources, to redact them in displayed lines.
class Places {
 public:
  Places() = default;
  explicit Places(std::vector<Span> spans);
  // `line` is sources.text(file)[begin, begin + size); replaces each code point of a secret with `*`.
  std::string redact(std::string_view line, FileId file, std::uint32_t begin) const;
  // Whether one of them overlaps `span`.
  bool meet(Span span) const;
  const std::vector<Span>& all() const { return spans_; }

 private:
  std::vector<Span> spans_;  // sorted, without overlaps
};

// Knows the secrets of a set of sources. Without any, it only redacts credentials in URLs.
class Redactor {
 public:
  // Texts that neither messages nor lines may repeat, and words of places that messages alone may not repeat.
  SecretTexts texts, words;
  std::vector<Span> places;
  // Parts of the sources where the extents of secrets are unknown: a message about such a part may repeat no word of a
  // place that it is about, or that starts on its line.
  std::vector<Span> unread;

  // Redacts the words of findings about `sources`, and removes fixes that would show a secret. Returns the places to
  // redact in their lines: `places`, and other occurrences of the texts on these lines.
  Places redact(std::vector<Diagnostic>& findings, const SourceSet& sources);
  // The same without changing them; `take` gets each one, or null for a finding that stays as it is.
  template <class Take>
  Places redact(const std::vector<Diagnostic>& findings, const SourceSet& sources, const Take& take);

  // Parts of it, for findings about several sets of sources.
  void redact_words(Diagnostic& finding) const;
  // Texts and words.
  SecretTexts all_texts() const;
  std::vector<Span> places_on_lines(const Diagnostic& finding, const SourceSet& sources);

 private:
  std::optional<Diagnostic> redacted(const Diagnostic& finding, const SourceSet& sources, const Places& known) const;
  static std::optional<Diagnostic> redacted(const Diagnostic& finding, const Places& known, const SecretTexts& texts);
  bool is_searched(Span place) const;

  std::map<std::pair<FileId, std::uint32_t>, std::uint32_t> searched_;  // from the start of each line to its end
};

template <class Take>
Places Redactor::redact(const std::vector<Diagnostic>& findings, const SourceSet& sources, const Take& take) {
  const Places known(places);
  words.add(texts);
  for (const Diagnostic& finding : findings) {
    const std::vector<Span> more = places_on_lines(finding, sources);
    places.insert(places.end(), more.begin(), more.end());
    take(finding, redacted(finding, sources, known));
  }
  return Places(std::move(places));
}

// Calls `visit` for each word of at least `shortest` bytes, as a message may quote it.
void each_word(std::string_view text, std::size_t shortest, const std::function<void(std::string_view)>& visit);
constexpr std::size_t kShortestQuoted = 8;  // shorter ones occur in other messages, too

// For a cluster with these values and sources.
Redactor redactor_of(const KnownSecrets& secrets, const Value& values, const SourceSet& sources);

}  // namespace capwright::secrets
