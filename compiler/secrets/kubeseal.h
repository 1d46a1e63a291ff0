// The program `kubeseal` of Sealed Secrets: encrypts the data of a Secret for the controller with the given
// certificate.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "secrets/cipher_program.h"
#include "secrets/sealed_secret.h"

namespace capwright::secrets {

inline constexpr std::string_view kKubesealProgram = "kubeseal";

class Kubeseal : public CipherProgram {
 public:
  Kubeseal(Programs& programs, const Limits& limits, std::string folder);

  // Passes a Secret with the plain texts of `secret`; the output is a SealedSecret as JSON. `certificate` is a path
  // relative to the program's folder. Needs no cluster; ignores environment variables that would select another key.
  ProgramEnd seal(const SealedSecret& secret, const std::string& certificate) const;
};

// The cipher texts that the program printed for `secret`, in the order of its items; empty if one is missing or isn't a
// valid encryption of that text.
std::vector<std::string> cipher_texts(const SealedSecret& secret, std::string_view printed, const Limits& limits);

}  // namespace capwright::secrets
