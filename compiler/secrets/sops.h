// The program `sops` of the getsops project: encrypts manifests, decrypts manifests and values layers.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "secrets/cipher_program.h"

namespace capwright::secrets {

inline constexpr std::string_view kSopsProgram = "sops";
// The encrypted keys of a Kubernetes Secret if the rules don't set them: kind and name stay readable.
inline constexpr std::string_view kEncryptedKeys = "^(data|stringData)$";

// The recipients: one of the two.
struct SopsKeys {
  std::string rules;             // path of a `.sops.yaml`, relative to Sops's folder
  std::vector<std::string> age;  // public keys
};

class Sops : public CipherProgram {
 public:
  // `vault` is the address of the Vault server that may be used; empty: none.
  Sops(Programs& programs, const Limits& limits, std::string folder, std::string vault);

  // `path` selects the rule, and YAML or JSON. `encrypted_keys`: a regular expression that overrides the rule's; empty:
  // use the rule's. Ignores environment variables with keys.
  ProgramEnd encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                     std::string_view encrypted_keys) const;
  ProgramEnd decrypt(std::string_view text, std::string_view path) const;

  // The first Vault server, other than the allowed one, to which the metadata of an encrypted file, or rules, would
  // send the user's token. Empty: there is none.
  std::string foreign_vault(std::string_view text, std::string_view path, bool is_rules) const;

 private:
  const std::string vault_;
};

// Decrypts every text once per run and shares it between clusters. Thread-safe.
class DecryptedTexts {
 public:
  const ProgramEnd& decrypt(const Sops& sops, std::string_view text, std::string_view path);

 private:
  struct Decrypted {
    std::once_flag once;
    ProgramEnd end;
  };
  std::mutex finding_;
  std::map<Sha256, std::unique_ptr<Decrypted>> texts_;
};

}  // namespace capwright::secrets
