// The form `sealed`: keeps sealed values of SealedSecrets, and passes others to `kubeseal` if it may be started.
#pragma once
#include "files/file_set.h"
#include "secrets/encryption.h"
#include "value/stage.h"

namespace capwright {

// A cipher text in `previous` for the same key of the same SealedSecret replaces the rendered value. With readable
// values and `reencrypt`, or if a cipher text is missing, the program seals the complete SealedSecret again. Reports
// values that remain to be sealed.
FileSet seal_secrets(FileSet files, const Encryption&, Stage&);

}  // namespace capwright
