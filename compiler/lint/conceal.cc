// Manifests have no schema that marks a secret: what stands in a Secret is taken for one.
#include "lint/conceal.h"

#include "lint/credentials.h"
#include "pipeline/cover_secrets.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kShortestWord = 6;  // shorter ones are words of other messages, too

void add_lines(std::string_view text, SecretTexts& texts) {
  constexpr std::string_view kAround = " \t\r\"',";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kAround), line.size()));
    line = line.substr(0, line.find_last_not_of(kAround) + 1);
    if (line.size() >= kShortestWord) texts.add(line);
  }
}

}  // namespace

void conceal_secrets(const Cluster& cluster) {
  for (const Object* object : cluster.objects()) {
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (leaf.guise == Guise::Readable) cluster.conceal(leaf.node.span());
    }
  }
}

SecretTexts secret_texts(const Cluster& cluster) {
  if (cluster.compiled() != nullptr) return known_secrets(*cluster.compiled());
  SecretTexts texts;
  for (const Span secret : cluster.secrets()) add_lines(cluster.sources().text(secret), texts);
  return texts;
}

void cover_manifest_messages(const Cluster& cluster) {
  if (cluster.compiled() != nullptr || cluster.secrets().empty()) return;
  const SecretTexts texts = secret_texts(cluster);
  for (Diagnostic& diagnostic : cluster.sink().diagnostics()) cover_message(diagnostic, texts);
}

}  // namespace capwright::lint
