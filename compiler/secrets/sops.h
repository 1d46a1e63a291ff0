// The program `sops` of the getsops project: encrypts manifests, decrypts manifests and layers of values. Texts go in
// and out by pipes; plain text never reaches a disk, a command line or a message.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "diag/diag.h"
#include "source/process.h"
#include "value/limits.h"
#include "value/secret_texts.h"

namespace capwright::secrets {

inline constexpr std::string_view kSopsProgram = "sops";
// What of a Kubernetes Secret is encrypted where the rules don't say it: kind and name stay readable.
inline constexpr std::string_view kEncryptedKeys = "^(data|stringData)$";

// Who can decrypt: one of the two.
struct SopsKeys {
  std::string rules;             // path of a `.sops.yaml`, from Sops's folder
  std::vector<std::string> age;  // public keys
};

// What was tried, as it is told.
struct SopsTask {
  std::string_view path;
  std::string_view tried;  // "encrypted", "decrypted"
  Span asked_at;
};

class Sops {
 public:
  // `folder`: where the program runs, from the working directory; paths are relative to it.
  Sops(Programs& programs, const Limits& limits, std::string folder);

  // `path` chooses the rule, and YAML or JSON. `encrypted_keys`: a regular expression in place of what the rule says;
  // empty: as the rule says. Variables of the environment that name keys don't count.
  ProgramEnd encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                     std::string_view encrypted_keys) const;
  ProgramEnd decrypt(std::string_view text, std::string_view path) const;

  // A run that didn't succeed. Its own words are added, but for what `secrets` has.
  void report(const ProgramEnd& end, const SopsTask& task, const SecretTexts& secrets, Sink& sink) const;

 private:
  ProgramRun run_of(std::string_view text) const;

  Programs& programs_;
  const Limits& limits_;
  std::string folder_;
};

// Words of a program for people: its first lines, in `notes` of a diagnostic.
void add_notes(Diagnostic& diagnostic, std::string_view words, const SecretTexts& secrets);

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
