// The form `sealed`: values of SealedSecrets that are sealed stay, others are handed to `kubeseal` where it may be
// asked.
#pragma once
#include "files/previous.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"

namespace capwright {

// Whether the values name the certificate to seal with, so that secret values may stand in a SealedSecret's data.
bool may_seal(const CompiledCluster& cluster);

// A cipher text that `previous` has for the same key of the same SealedSecret takes the place of what is rendered; with
// readable values and `reencrypt`, or where one is missing, the program seals all of that SealedSecret anew. What is
// still to be sealed is told. Without options().encrypts no program is started.
void seal_secrets(CompiledCluster& cluster, const Project&, const PreviousCluster& previous, Stage&);

}  // namespace capwright
