// Encrypts rendered files with secrets before they are written to the tree. Each encryption gives different bytes, so
// an existing file is kept unchanged while it decrypts to the rendered text.
#pragma once
#include "files/previous.h"
#include "pipeline/compile_cluster.h"

namespace capwright {

// In the form `sops`: replaces the text of every file with secrets; all its bytes then have one maker, the values in
// it. Reports errors, which leave the cluster unclean. Call it last.
void encrypt_secrets(CompiledCluster& cluster, const Project& project, const PreviousCluster& previous, Stage& stage);

}  // namespace capwright
