// Encrypts secrets before they are written to the tree: as SealedSecrets, or as files that `sops` encrypts. Each
// encryption gives different bytes, so an existing text is kept unchanged while its content is equal.
#pragma once
#include "files/file_set.h"
#include "files/previous.h"
#include "files/workspace.h"
#include "secrets/form.h"
#include "secrets/sops.h"
#include "source/file_system.h"
#include "source/process.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// What both forms read.
struct Encryption {
  const Value& values;  // their secrets must not be shown, not even in messages of another program
  const SecretForm& form;
  const PreviousCluster& previous;  // encrypted texts in it are kept while their content is equal
  FileSystem& fs;
  const Workspace& workspace;
  const std::string& output;            // the configured output folder, which rules of `sops` match
  Programs* programs = nullptr;         // null: none may be started
  const secrets::Sops* sops = nullptr;  // null: it may not be started
  bool starts_programs = false;         // the files are written, so their secrets are encrypted
  bool reencrypt = false;               // also encrypt unchanged texts again
};

// In the form `sealed`: a cipher text in `previous` for the same key of the same SealedSecret replaces the rendered
// value. With readable values and `reencrypt`, or if a cipher text is missing, the program seals the complete
// SealedSecret again. Reports values that remain to be sealed.
FileSet seal_secrets(FileSet files, const Encryption&, Stage&);

// In the form `sops`: replaces the text of every file with secrets; all its bytes then have one maker, the values in
// it. Reports errors, which leave the cluster unclean. Call it last.
FileSet encrypt_secrets(FileSet files, const Encryption&, Stage&);

}  // namespace capwright
