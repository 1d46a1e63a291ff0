// Between the rendered files and the tree: files with secrets leave encrypted. Encryption gives other bytes each time,
// so a file that the tree has already stays byte for byte while it decrypts to what is rendered.
#pragma once
#include "files/previous.h"
#include "pipeline/compile_cluster.h"

namespace capwright {

// In the form `sops`: replaces the text of every file that has secrets; all its bytes then have one maker, the values
// that are in it. Faults are reported, and leave the cluster unclean. To be called when all else is settled.
void encrypt_secrets(CompiledCluster& cluster, const Project& project, const PreviousCluster& previous, Stage& stage);

}  // namespace capwright
