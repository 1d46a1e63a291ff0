// Layers that `sops` has encrypted: secrets that a repository may hold.
#pragma once
#include <string>

#include "secrets/sops.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// What decrypts the layers of a run; no program: none may be run.
struct LayerDecryption {
  const secrets::Sops* sops = nullptr;
  secrets::DecryptedTexts* texts = nullptr;
};

// `document`, which was read from `file`, as it is; an encrypted one with its values in the clear, those tainted that
// were encrypted, all at their places in the file. Faults are reported and give Value::error().
Value decrypt_layer(const Value& document, FileId file, const LayerDecryption& decryption, Stage& stage);

}  // namespace capwright
