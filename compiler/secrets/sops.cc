// Uses flags that every `sops` of version 3 supports.
#include "secrets/sops.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

#include "secrets/sops_document.h"

namespace capwright::secrets {
namespace {

// Environment variables with rules and keys for `sops`: the repository, not the machine, configures the recipients.
constexpr const char* kForeignKeys[] = {"SOPS_CONFIG",     "SOPS_AGE_RECIPIENTS",     "SOPS_PGP_FP",
                                        "SOPS_KMS_ARN",    "SOPS_GCP_KMS_IDS",        "SOPS_AZURE_KEYVAULT_URLS",
                                        "SOPS_VAULT_URIS", "SOPS_HUAWEICLOUD_KMS_IDS"};

constexpr std::string_view kVaultKeys[] = {"vault_address", "hc_vault"};  // and keys that begin so

// `https://vault.example.com:8200` for an address below it.
std::string_view server_of(std::string_view address) {
  const std::size_t scheme = address.find("://");
  return address.substr(0, scheme == std::string_view::npos ? scheme : address.find('/', scheme + 3));
}

void add_vaults(const Value& value, bool is_vault, std::vector<std::string_view>& found) {
  if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      const auto begins = [&](std::string_view key) { return entry.key.text().starts_with(key); };
      // The metadata has other strings below `hc_vault` that aren't addresses.
      const bool named = std::any_of(std::begin(kVaultKeys), std::end(kVaultKeys), begins);
      add_vaults(entry.value, named, found);
    }
  } else if (value.is(Kind::List)) {
    for (const Value& item : value.items()) add_vaults(item, is_vault, found);
  } else if (is_vault && value.is(Kind::String)) {
    for (std::string_view rest = value.text(); !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      found.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

std::string type_of(std::string_view path) { return path.ends_with(".json") ? "json" : "yaml"; }

}  // namespace

Sops::Sops(Programs& programs, const Limits& limits, std::string folder, std::string vault)
    : CipherProgram({kSopsProgram, "the package `sops` of many systems, or a release of the getsops project"}, programs,
                    limits, std::move(folder)),
      vault_(std::move(vault)) {}

std::string Sops::foreign_vault(std::string_view text, std::string_view path, bool is_rules) const {
  if (text.find("vault") == std::string_view::npos) return {};
  const ReadStream stream(path, text, ScalarRules::Core, limits());
  std::vector<std::string_view> found;
  for (const YamlDocument& document : stream.documents()) {
    const Value* metadata = is_rules || !document.value.is(Kind::Map) ? &document.value : document.value.find("sops");
    if (metadata != nullptr) add_vaults(*metadata, false, found);
  }
  const auto is_foreign = [&](std::string_view address) {
    return address.find_first_not_of(" \t") != std::string_view::npos && server_of(address) != server_of(vault_);
  };
  const auto foreign = std::find_if(found.begin(), found.end(), is_foreign);
  if (foreign != found.end()) return std::string(server_of(*foreign));
  // `sops` may be able to read a file that capwright can't.
  return stream.failed() ? "an unknown server" : "";
}

ProgramEnd Sops::encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                         std::string_view encrypted_keys) const {
  ProgramRun program = run_of(text);
  // The explicit empty configuration prevents a search for one.
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
  if (std::string vault = foreign_vault(text, path, false); !vault.empty())
    return {ProgramEnd::How::Refused, 0, {}, std::move(vault)};
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
