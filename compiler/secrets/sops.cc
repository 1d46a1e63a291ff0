// Flags as every `sops` of version 3 understands them.
#include "secrets/sops.h"

#include <fmt/format.h>
#include <utility>

namespace capwright::secrets {
namespace {

// Variables from which `sops` would take rules and keys: the repository says for whom is encrypted, not a machine.
constexpr const char* kForeignKeys[] = {"SOPS_CONFIG",     "SOPS_AGE_RECIPIENTS",     "SOPS_PGP_FP",
                                        "SOPS_KMS_ARN",    "SOPS_GCP_KMS_IDS",        "SOPS_AZURE_KEYVAULT_URLS",
                                        "SOPS_VAULT_URIS", "SOPS_HUAWEICLOUD_KMS_IDS"};

std::string type_of(std::string_view path) { return path.ends_with(".json") ? "json" : "yaml"; }

}  // namespace

Sops::Sops(Programs& programs, const Limits& limits, std::string folder)
    : CipherProgram({kSopsProgram, "the package `sops` of many systems, or a release of the getsops project"}, programs,
                    limits, std::move(folder)) {}

ProgramEnd Sops::encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                         std::string_view encrypted_keys) const {
  ProgramRun program = run_of(text);
  // A file without rules keeps it from searching for one.
  program.arguments = {"--config", keys.age.empty() ? keys.rules : "/dev/null", "--encrypt"};
  if (!keys.age.empty())
    program.arguments.insert(program.arguments.end(), {"--age", fmt::format("{}", fmt::join(keys.age, ","))});
  if (!encrypted_keys.empty()) {
    program.arguments.insert(program.arguments.end(), {"--encrypted-regex", std::string(encrypted_keys)});
  }
  const std::string type = type_of(path);
  program.arguments.insert(program.arguments.end(),
                           {"--input-type", type, "--output-type", type, "--filename-override", path, "/dev/stdin"});
  program.unset.assign(std::begin(kForeignKeys), std::end(kForeignKeys));
  return run(program);
}

ProgramEnd Sops::decrypt(std::string_view text, std::string_view path) const {
  ProgramRun program = run_of(text);
  const std::string type = type_of(path);
  program.arguments = {"--decrypt", "--input-type", type, "--output-type", type, "/dev/stdin"};
  return run(program);
}

const ProgramEnd& DecryptedTexts::decrypt(const Sops& sops, std::string_view text, std::string_view path) {
  Decrypted* decrypted = nullptr;
  {
    const std::scoped_lock lock(finding_);
    auto& known = texts_[sha256(text)];
    if (known == nullptr) known = std::make_unique<Decrypted>();
    decrypted = known.get();
  }
  std::call_once(decrypted->once, [&] { decrypted->end = sops.decrypt(text, path); });
  return decrypted->end;
}

}  // namespace capwright::secrets
