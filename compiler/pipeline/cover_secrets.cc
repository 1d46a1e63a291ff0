// Redacts lines by their text where nothing more precise is known, and redacts known secrets in messages.
#include "pipeline/cover_secrets.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "diag/suggest.h"
#include "pipeline/secret_lines.h"
#include "text/trim.h"
#include "text/url_secrets.h"
#include "yaml/characters.h"

namespace capwright {
namespace {

// Adds the words of a redacted place as a message may quote them: without quotes and YAML indicators before them.
void add_words(std::string_view text, std::size_t shortest, SecretTexts& texts) {
  static constexpr yaml::CharacterSet kBetween(" \t\r\n\"',:{}[]=");
  constexpr std::string_view kIndicators = "&*!|>@%`?-$";
  while (!text.empty()) {
    std::size_t begin = 0;
    while (begin < text.size() && kBetween.has(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && !kBetween.has(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (word.size() >= shortest) {
      texts.add(word);
      const std::size_t indicators = std::min(word.find_first_not_of(kIndicators), word.size());
      if (indicators != 0) texts.add(word.substr(indicators));
    }
    text.remove_prefix(end);
  }
}

// Whether a finding is about a place in `secret`, or on the line where it starts.
bool is_about(const Diagnostic& diagnostic, Span secret, const SourceSet& sources) {
  const Span where = diagnostic.where;
  if (where.file != secret.file) return false;
  const std::string_view line = sources.line_text(secret.file, secret.begin);
  const auto begin = static_cast<std::uint32_t>(line.data() - sources.text(secret.file).data());
  return where.begin <= secret.end && where.end >= begin;
}

constexpr std::size_t kShortestWord = 8;  // shorter ones occur in other messages, too

void add_place(std::string_view text, std::size_t shortest, SecretTexts& texts) {
  const bool encrypted = text.starts_with("ENC[");  // encrypted text is public
  if (!encrypted) add_words(text, shortest, texts);
}

// The secrets among values and in the output of templates.
SecretTexts secret_texts_of(const Value& values, const KnownSecrets& secrets) {
  SecretTexts known;
  known.add_tainted(values);
  for (const std::string_view text : secrets.texts) known.add(text);
  return known;
}

std::string in_lower_case(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return low;
}

// Whether `Secret`, or a similar word, follows a `kind`; tags, anchors and quotes may be between.
bool names_secret(std::string_view behind) {
  constexpr std::size_t kNear = 40;
  constexpr std::string_view kKinds[] = {"secret"}, kBetween = " \t\r\n\"':!&*?|>-";
  behind = behind.substr(0, kNear);
  behind = behind.substr(0, behind.find_first_of(",}"));
  while (!behind.empty()) {
    behind.remove_prefix(std::min(behind.find_first_not_of(kBetween), behind.size()));
    const std::string_view word = behind.substr(0, behind.find_first_of(kBetween));
    if (word == kKinds[0] || (!word.empty() && !nearest(word, kKinds).empty())) return true;
    behind.remove_prefix(word.size());
  }
  return false;
}

// How much of a line of an unreadable text isn't secret: the fields of a manifest other than its data. Errs on the side
// of secrecy for the rest, because the end of the data is unknown.
std::size_t readable_part(std::string_view line) {
  constexpr std::string_view kKeys[] = {"apiVersion", "kind", "metadata", "items", "type", "data", "stringData"};
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r-"), line.size());
  const std::string_view rest = line.substr(begin);
  for (const std::string_view key : kKeys) {
    const std::string_view behind = rest.starts_with(key) ? rest.substr(key.size()) : std::string_view();
    if (!behind.starts_with(':')) continue;
    const std::string_view value = trimmed(behind.substr(1));
    const bool is_word = std::all_of(value.begin(), value.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    const bool is_version = key == kKeys[0] && (value == "v1" || value == "\"v1\"");
    const bool is_kind = key == kKeys[1] && (value == "Secret" || value == "List" || is_word);
    return value.empty() || is_version || is_kind ? line.size() : begin + key.size() + 1;
  }
  return begin;
}

}  // namespace

bool ShownLines::has_line_of(Span place) const {
  auto behind = known_.upper_bound({place.file, place.begin});
  if (behind == known_.begin()) return false;
  const auto& [line, end] = *std::prev(behind);
  return line.first == place.file && place.begin <= end;
}

std::vector<Span> ShownLines::secrets_around(const Diagnostic& diagnostic, const SourceSet& sources,
                                             const SecretTexts& texts) {
  std::vector<Span> found;
  const auto look_at = [&](Span where) {
    if (!where.known() || has_line_of(where)) return;
    const std::string_view line = sources.line_text(where.file, where.begin);
    const auto begin = static_cast<std::uint32_t>(line.data() - sources.text(where.file).data());
    known_.emplace(std::pair(where.file, begin), begin + static_cast<std::uint32_t>(line.size()));
    const auto add = [&](std::size_t from, std::size_t to) {
      found.push_back({where.file, begin + static_cast<std::uint32_t>(from), begin + static_cast<std::uint32_t>(to)});
    };
    for (const SecretTexts::Run& run : texts.find(line)) add(run.begin, run.end);
    for (const TextPlace& place : url_secrets(line)) add(place.begin, place.end);
  };
  look_at(diagnostic.where);
  for (const Label& label : diagnostic.labels) look_at(label.where);
  for (const TraceFrame& frame : diagnostic.trace) look_at(frame.where);
  return found;
}

void add_words_at(const Diagnostic& about, const std::vector<Span>& secrets, const SourceSet& sources,
                  SecretTexts& texts) {
  for (const Span secret : secrets) {
    if (secret.known() && is_about(about, secret, sources)) add_place(sources.text(secret), 1, texts);
  }
}

void cover_message(Diagnostic& diagnostic, const SecretTexts& texts) {
  const auto cover_text = [&](std::string& text) {
    if (!texts.empty() && !texts.find(text).empty()) text = texts.cover(text);
    if (!url_secrets(text).empty()) text = cover_url_secrets(text);
  };
  cover_text(diagnostic.message);
  cover_text(diagnostic.label);
  for (Label& label : diagnostic.labels) cover_text(label.text);
  for (TraceFrame& frame : diagnostic.trace) cover_text(frame.what);
  for (std::string& note : diagnostic.notes) cover_text(note);
  if (diagnostic.help) cover_text(*diagnostic.help);
  cover_text(diagnostic.subject);
}

SecretTexts known_secrets(const Value& values, const KnownSecrets& secrets, const SourceSet& sources) {
  SecretTexts known = secret_texts_of(values, secrets);
  if (!secrets.complete) return known;
  for (const Span secret : secrets.places) {
    if (secret.known()) add_place(sources.text(secret), kShortestWord, known);
  }
  return known;
}

std::vector<Span> cover_messages(std::vector<Diagnostic>& diagnostics, const Value& values, const KnownSecrets& secrets,
                                 const SourceSet& sources) {
  std::vector<Span> around;
  if (diagnostics.empty()) return around;
  const SecretTexts texts = secret_texts_of(values, secrets), known = known_secrets(values, secrets, sources);
  ShownLines lines;
  for (Diagnostic& diagnostic : diagnostics) {
    const std::vector<Span> shown = lines.secrets_around(diagnostic, sources, texts);
    around.insert(around.end(), shown.begin(), shown.end());
    if (secrets.complete) {
      cover_message(diagnostic, known);
      continue;
    }
    SecretTexts here = known;
    add_words_at(diagnostic, secrets.places, sources, here);
    add_words_at(diagnostic, around, sources, here);
    cover_message(diagnostic, here);
  }
  return around;
}

bool may_be_secret(std::string_view manifest) {
  const std::string low = in_lower_case(manifest);
  if (low.find("stringdata") != std::string::npos) return true;
  constexpr std::string_view kKey = "kind";
  for (std::size_t at = low.find(kKey); at != std::string::npos; at = low.find(kKey, at + 1)) {
    if (names_secret(std::string_view(low).substr(at + kKey.size()))) return true;
  }
  return false;
}

bool means_secret(std::string_view kind) {
  constexpr std::string_view kKind[] = {"Secret"};
  if (kind == kKind[0]) return true;
  // A fast check that excludes nearly every kind.
  const bool may_be = kind.starts_with('S') || kind.starts_with('s') || kind.ends_with("cret");
  return may_be && !nearest(kind, kKind).empty();
}

bool is_public_in_secret(std::string_view key) {
  constexpr std::string_view kKeys[] = {"apiVersion", "kind", "metadata", "type", "immutable", "sops"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

bool may_hold_secret_data(std::string_view manifest) {
  if (!may_be_secret(manifest)) return false;
  const std::string low = in_lower_case(manifest);
  for (std::size_t at = low.find("data"); at != std::string::npos; at = low.find("data", at + 1)) {
    if (!std::string_view(low).substr(0, at).ends_with("meta")) return true;
  }
  return false;
}

std::vector<Span> unread_manifest_secrets(Span text, const SourceSet& sources) {
  const std::string_view all = sources.text(text);
  std::vector<Span> secrets;
  if (!may_be_secret(all)) return secrets;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::size_t from = begin + readable_part(all.substr(begin, end - begin));
    if (from < end)
      secrets.push_back(
          {text.file, text.begin + static_cast<std::uint32_t>(from), text.begin + static_cast<std::uint32_t>(end)});
    begin = end + 1;
  }
  return secrets;
}

std::vector<Span> unread_secrets(const SourceSet& sources, const SecretNames& names) {
  std::vector<Span> secrets;
  const auto add = [&](const std::vector<Span>& found) { secrets.insert(secrets.end(), found.begin(), found.end()); };
  for (const FileId file : sources.files()) {
    const std::string_view text = sources.text(file);
    add(secret_lines(text, file, sources.path(file).starts_with("--set"), names));
    // A Secret without a line `kind:`, such as one in flow style, was read as values.
    const bool is_manifest =
        text.find("apiVersion") != std::string_view::npos || text.find("\"stringData\"") != std::string_view::npos;
    if (is_manifest) add(unread_manifest_secrets({file, 0, static_cast<std::uint32_t>(text.size())}, sources));
  }
  return secrets;
}

std::vector<Span> cover_manifests_named_by_mistake(std::vector<Diagnostic>& diagnostics, const SourceSet& sources) {
  std::vector<Span> secrets;
  if (diagnostics.empty()) return secrets;
  for (const FileId file : sources.files()) {
    const Span whole{file, 0, static_cast<std::uint32_t>(sources.text(file).size())};
    const std::vector<Span> found = unread_manifest_secrets(whole, sources);
    secrets.insert(secrets.end(), found.begin(), found.end());
  }
  for (Diagnostic& diagnostic : diagnostics) {
    SecretTexts texts;
    add_words_at(diagnostic, secrets, sources, texts);
    cover_message(diagnostic, texts);
  }
  return secrets;
}

}  // namespace capwright
