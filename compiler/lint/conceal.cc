// Manifests have no schema that marks a secret: what stands in a Secret is taken for one.
#include "lint/conceal.h"

#include <algorithm>

#include "diag/suggest.h"
#include "lint/credentials.h"
#include "pipeline/cover_secrets.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kShortestWord = 6;  // shorter ones are words of other messages, too

// All but those that are parts of `known`, which is one of the texts, and that are covered as its parts are. They stand
// there in this order with little between them, such as their indentation; what is further away is added once more.
void add_lines(std::string_view text, std::string_view known, SecretTexts& texts) {
  constexpr std::string_view kAround = " \t\r\"',";
  constexpr std::size_t kMostBetween = 100;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kAround), line.size()));
    line = line.substr(0, line.find_last_not_of(kAround) + 1);
    if (line.size() < kShortestWord) continue;
    const std::size_t at = known.substr(0, kMostBetween + line.size()).find(line);
    if (at != std::string_view::npos) known.remove_prefix(at + line.size());
    if (at == std::string_view::npos || line.size() < SecretTexts::kShortestRun) texts.add(line);
  }
}

// What a secret means, where that is written in another way: an alias, escapes, base64.
void add_meanings(const SecretLeaf& leaf, const SourceSet& sources, SecretTexts& texts) {
  if (leaf.guise != Guise::Readable) return;
  const std::string_view written = sources.text(leaf.node.span());
  add_lines(leaf.node.text(), written, texts);
  if (!leaf.base64) return;
  if (const auto decoded = secret_text(leaf.node, true)) add_lines(*decoded, written, texts);
}

void conceal_below(const Node& node, const Cluster& cluster) {
  for (const auto& [key, value] : node.members()) conceal_below(value, cluster);
  for (const Node item : node.items()) conceal_below(item, cluster);
  if (!node.is(Kind::Map) && !node.is(Kind::List)) cluster.conceal(node.whole_span());
}

// What stands where a text belongs: a number, or a map that the server will refuse.
void conceal_other_types(const Node& data, const Cluster& cluster) {
  if (!data.is(Kind::Map)) conceal_below(data, cluster);
  for (const auto& [key, value] : data.members()) {
    if (!value.is(Kind::String)) conceal_below(value, cluster);
  }
}

// Also below a field that no Secret has: `stringdata`.
void conceal_other_fields(const Node& secret, const Cluster& cluster) {
  constexpr std::string_view kPublic[] = {"apiVersion", "kind", "metadata", "type", "immutable"};
  for (const auto& [key, value] : secret.members()) {
    if (key == "data" || key == "stringData") conceal_other_types(value, cluster);
    else if (std::find(std::begin(kPublic), std::end(kPublic), key) == std::end(kPublic)) conceal_below(value, cluster);
  }
}

// `Secrt`: whoever wrote it meant a Secret, though no server will take it for one.
bool is_misspelt_secret(const Object& object) {
  constexpr std::string_view kKind[] = {"Secret"};
  const std::string_view kind = object.kind();
  const bool may_be = kind.starts_with('S') || kind.starts_with('s') || kind.ends_with("cret");
  return may_be && kind != kKind[0] && !nearest(kind, kKind).empty();
}

void conceal_misspelt_secret(const Node& secret, const Cluster& cluster) {
  for (const auto& [key, value] : secret.members()) {
    if (key == "data" || key == "stringData") conceal_below(value, cluster);
  }
  conceal_other_fields(secret, cluster);
}

bool is_unread(Span where, const Cluster& cluster) {
  return std::any_of(cluster.unread().begin(), cluster.unread().end(), [&](const Span& unread) {
    return unread.file == where.file && unread.begin <= where.end && where.begin <= unread.end;
  });
}

}  // namespace

void conceal_secrets(const Cluster& cluster) {
  for (const Span unread : cluster.unread()) {
    for (const Span secret : unread_manifest_secrets(unread, cluster.sources())) cluster.conceal(secret);
  }
  for (const Object* object : cluster.objects()) {
    if (is_secret(*object)) conceal_other_fields(object->root(), cluster);
    else if (is_misspelt_secret(*object)) conceal_misspelt_secret(object->root(), cluster);
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (leaf.guise == Guise::Readable) cluster.conceal(leaf.node.span());
    }
  }
}

SecretTexts secret_texts(const Cluster& cluster) {
  if (cluster.compiled() != nullptr) return known_secrets(*cluster.compiled());
  SecretTexts texts;
  std::size_t bytes = 0;
  for (const Span secret : cluster.secrets()) bytes += secret.size();
  texts.expect(bytes);
  for (const Span secret : cluster.secrets()) add_lines(cluster.sources().text(secret), {}, texts);
  for (const Object* object : cluster.objects()) {
    for (const SecretLeaf& leaf : secret_leaves(*object)) add_meanings(leaf, cluster.sources(), texts);
  }
  return texts;
}

void cover_manifest_messages(const Cluster& cluster) {
  if (cluster.compiled() != nullptr || cluster.sink().diagnostics().empty()) return;
  // Without a secret only URLs may hold some.
  const SecretTexts texts = cluster.secrets().empty() ? SecretTexts() : secret_texts(cluster);
  ShownLines lines;
  for (Diagnostic& diagnostic : cluster.sink().diagnostics()) {
    for (const Span secret : lines.secrets_around(diagnostic, cluster.sources(), texts)) cluster.conceal(secret);
    cover_message(diagnostic, texts);
    if (!is_unread(diagnostic.where, cluster)) continue;
    SecretTexts here;
    add_words_at(diagnostic, cluster.secrets(), cluster.sources(), here);
    cover_message(diagnostic, here);
  }
}

}  // namespace capwright::lint
