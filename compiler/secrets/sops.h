// The program `sops` of the getsops project: encrypts manifests, decrypts manifests and layers of values.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "secrets/cipher_program.h"

namespace capwright::secrets {

inline constexpr std::string_view kSopsProgram = "sops";
// What of a Kubernetes Secret is encrypted where the rules don't say it: kind and name stay readable.
inline constexpr std::string_view kEncryptedKeys = "^(data|stringData)$";

// Who can decrypt: one of the two.
struct SopsKeys {
  std::string rules;             // path of a `.sops.yaml`, from Sops's folder
  std::vector<std::string> age;  // public keys
};

class Sops : public CipherProgram {
 public:
  // `vault` is the address of the Vault server that may be asked; empty: none.
  Sops(Programs& programs, const Limits& limits, std::string folder, std::string vault);

  // `path` chooses the rule, and YAML or JSON. `encrypted_keys`: a regular expression in place of what the rule says;
  // empty: as the rule says. Variables of the environment that name keys don't count.
  ProgramEnd encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                     std::string_view encrypted_keys) const;
  ProgramEnd decrypt(std::string_view text, std::string_view path) const;

  // The first Vault server that the metadata of an encrypted file, or else rules, would have asked with the user's
  // token, and that isn't the one that may be asked. Empty: there is none.
  std::string foreign_vault(std::string_view text, std::string_view path, bool is_rules) const;

 private:
  const std::string vault_;
};

// Decrypts every text once a run, however many clusters ask for it. May be used by several threads.
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
