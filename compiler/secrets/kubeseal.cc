// Uses flags that `kubeseal` has since version 0.9.
#include "secrets/kubeseal.h"

#include <utility>

#include "value/value.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::secrets {
namespace {

// `kubeseal` also reads each flag from the environment. The current context of a kubeconfig would set a namespace.
constexpr const char* kForeignFlags[] = {"KUBECONFIG",
                                         "SEALED_SECRETS_KUBECONFIG",
                                         "SEALED_SECRETS_NAMESPACE",
                                         "SEALED_SECRETS_NAME",
                                         "SEALED_SECRETS_MERGE_INTO",
                                         "SEALED_SECRETS_RAW",
                                         "SEALED_SECRETS_FETCH_CERT",
                                         "SEALED_SECRETS_RE_ENCRYPT",
                                         "SEALED_SECRETS_SECRET_FILE",
                                         "SEALED_SECRETS_SEALED_SECRET_FILE",
                                         "SEALED_SECRETS_VALIDATE"};

std::string secret_manifest(const SealedSecret& secret) {
  Arena arena;
  const auto text = [&](std::string_view bytes) { return make_string(arena, bytes); };
  const auto entry = [&](std::string_view key, Value value) { return Entry{make_key(arena, key), value}; };
  std::vector<Entry> data;
  for (const SealedItem& item : secret.items) data.push_back(entry(item.key, text(item.text)));
  const Entry metadata[] = {entry("name", text(secret.name)), entry("namespace", text(secret.namespace_name))};
  const Entry manifest[] = {entry("apiVersion", text("v1")), entry("kind", text("Secret")),
                            entry("metadata", make_map(arena, metadata)), entry("stringData", make_map(arena, data))};
  return canonical_json(make_map(arena, manifest));
}

}  // namespace

Kubeseal::Kubeseal(Programs& programs, const Limits& limits, std::string folder)
    : CipherProgram({kKubesealProgram, "a release of the Sealed Secrets project"}, programs, limits,
                    std::move(folder)) {}

ProgramEnd Kubeseal::seal(const SealedSecret& secret, const std::string& certificate) const {
  const std::string manifest = secret_manifest(secret);
  ProgramRun program = run_of(manifest);
  program.arguments = {"--cert", certificate, "--scope", secret.scope, "--format", "json"};
  program.unset.assign(std::begin(kForeignFlags), std::end(kForeignFlags));
  return run(program);
}

std::vector<std::string> cipher_texts(const SealedSecret& secret, std::string_view printed, const Limits& limits) {
  const std::vector<SealedSecret> answers = find_sealed_secrets("kubeseal.json", printed, limits);
  if (answers.size() != 1 || !answers[0].is_bound_as(secret)) return {};
  std::vector<std::string> texts;
  for (const SealedItem& item : secret.items) {
    const SealedItem* sealed = answers[0].find(item.key);
    if (sealed == nullptr || sealed_size(sealed->text) != item.text.size()) return {};
    texts.push_back(sealed->text);
  }
  return texts;
}

}  // namespace capwright::secrets
