// No report shows a secret that stands readable in a manifest, whichever rule's finding is about its line.
#pragma once
#include "lint/cluster.h"
#include "value/secret_texts.h"

namespace capwright::lint {

// Masks the data of readable Secrets where lines are shown. To be called before rules run.
void conceal_secrets(const Cluster& cluster);

// What words about a cluster may not repeat: its secrets, as far as they are known. Of manifests those that
// conceal_secrets() has found.
SecretTexts secret_texts(const Cluster& cluster);

// Covers what is masked in what the findings of manifests say. To be called when they are complete.
void cover_manifest_messages(const Cluster& cluster);

}  // namespace capwright::lint
