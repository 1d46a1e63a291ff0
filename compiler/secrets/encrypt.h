// Encrypts rendered files with secrets before they are written to the tree. Each encryption gives different bytes, so
// an existing file is kept unchanged while it decrypts to the rendered text.
#pragma once
#include "files/file_set.h"
#include "secrets/encryption.h"
#include "value/stage.h"

namespace capwright {

// In the form `sops`: replaces the text of every file with secrets; all its bytes then have one maker, the values in
// it. Reports errors, which leave the cluster unclean. Call it last.
FileSet encrypt_secrets(FileSet files, const Encryption&, Stage&);

}  // namespace capwright
