// No finding shows a secret: the lines of sources are masked where secrets stand, and messages where they quote one.
#pragma once
#include "pipeline/compile_cluster.h"
#include "value/secret_texts.h"

namespace capwright {

// Covers secrets in what the cluster's findings say. To be called when they are complete.
void cover_messages(CompiledCluster& cluster);

// What the words about a cluster may not repeat: the secrets among its values, and what templates made of them.
SecretTexts known_secrets(const CompiledCluster& cluster);

// Covers `texts` in the words of one finding.
void cover_message(Diagnostic& diagnostic, const SecretTexts& texts);

// For a cluster whose layers could not be read, so that no schema has told what of them is secret: whatever stands
// behind a key that any template set calls secret, or below a key that holds such keys, is taken for one.
void cover_unread_secrets(CompiledCluster& cluster, Project& project);

}  // namespace capwright
