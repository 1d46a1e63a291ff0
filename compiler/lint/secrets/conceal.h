// Keeps every report from showing a secret that a manifest contains in plain text, whichever rule reports its line.
#pragma once
#include "lint/model/cluster.h"
#include "value/secret_texts.h"

namespace capwright::lint {

// Redacts the data of readable Secrets where lines are shown. Call it before rules run.
void conceal_secrets(Cluster& cluster);

// The texts that messages about a cluster must not repeat: its known secrets. For manifests, those that
// conceal_secrets() has found.
SecretTexts secret_texts(const Cluster& cluster);

// Redacts secrets in the messages of findings about manifests. Call it when they are complete.
void cover_manifest_messages(Cluster& cluster);

}  // namespace capwright::lint
