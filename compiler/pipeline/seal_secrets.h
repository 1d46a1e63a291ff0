// The form `sealed`: keeps sealed values of SealedSecrets, and passes others to `kubeseal` if it may be started.
#pragma once
#include "files/previous.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"

namespace capwright {

// Whether the values name a certificate for sealing, so that a SealedSecret's data may contain secret values.
bool may_seal(const CompiledCluster& cluster);

// A cipher text in `previous` for the same key of the same SealedSecret replaces the rendered value. With readable
// values and `reencrypt`, or if a cipher text is missing, the program seals the complete SealedSecret again. Reports
// values that remain to be sealed. Starts no program without options().encrypts.
void seal_secrets(CompiledCluster& cluster, const Project&, const PreviousCluster& previous, Stage&);

}  // namespace capwright
