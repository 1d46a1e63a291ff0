// Redacts lines by their text, because nothing more precise is known.
#include "secrets/manifest_text.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "diag/suggest.h"
#include "text/trim.h"

namespace capwright::secrets {
namespace {

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

std::vector<Span> unread_manifest_secrets(const SourceSet& sources) {
  std::vector<Span> secrets;
  for (const FileId file : sources.files()) {
    const Span whole{file, 0, static_cast<std::uint32_t>(sources.text(file).size())};
    const std::vector<Span> found = unread_manifest_secrets(whole, sources);
    secrets.insert(secrets.end(), found.begin(), found.end());
  }
  return secrets;
}

}  // namespace capwright::secrets
