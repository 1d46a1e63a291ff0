// The program `kubeseal` of Sealed Secrets: encrypts the data of a Secret for the controller whose certificate it has.
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

  // A Secret with the readable texts of `secret` goes in; a SealedSecret comes out, as JSON. `certificate` is a path
  // from the program's folder. Needs no cluster; variables of the environment that would choose another key don't
  // count.
  ProgramEnd seal(const SealedSecret& secret, const std::string& certificate) const;
};

// The cipher texts that the program printed for `secret`, in the order of its items; nothing when one is missing or is
// not what sealing that text gives.
std::vector<std::string> cipher_texts(const SealedSecret& secret, std::string_view printed, const Limits& limits);

}  // namespace capwright::secrets
