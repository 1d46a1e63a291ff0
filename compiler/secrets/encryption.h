// What both ways of encryption read: sealing of SealedSecrets, and files that `sops` encrypts.
#pragma once
#include "files/previous.h"
#include "files/workspace.h"
#include "secrets/form.h"
#include "secrets/sops.h"
#include "source/file_system.h"
#include "source/process.h"
#include "value/value.h"

namespace capwright {

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

}  // namespace capwright
