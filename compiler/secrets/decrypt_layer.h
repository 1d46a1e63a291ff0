// Layers encrypted by `sops`: secrets that a repository may contain.
#pragma once
#include <string>

#include "secrets/sops.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Decrypts the layers of a run; without a program, none may be started.
struct LayerDecryption {
  const secrets::Sops* sops = nullptr;
  secrets::DecryptedTexts* texts = nullptr;
};

// Returns `document`, which was read from `file`. An encrypted document gets its decrypted values, which are tainted,
// at their places in the file. Reports errors and returns Value::error().
Value decrypt_layer(const Value& document, FileId file, const LayerDecryption& decryption, Stage& stage);

}  // namespace capwright
