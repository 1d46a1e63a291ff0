// Where the manifests of a cluster contain secrets in plain text, whichever rule reports such a line.
#pragma once
#include "lint/model/cluster.h"
#include "secrets/redactor.h"

namespace capwright::lint {

// Adds the places of readable secrets to Cluster::secrets(). Call it before rules run, because their findings count as
// errors of the text.
void find_credentials(const Cluster& cluster);

// What findings about the cluster must not show: its known secrets. For manifests, those of find_credentials() and of
// rules.
secrets::Redactor redactor_of(const Cluster& cluster);

}  // namespace capwright::lint
