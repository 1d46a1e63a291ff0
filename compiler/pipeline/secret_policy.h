// The policy for bytes of secrets. A marked value may only be rendered in the form that `secrets.form` names, as data
// of a Secret; readable ones (`plain`) only to standard output or to a folder outside of every Git working tree, and
// never in CI.
#pragma once
#include <string_view>

#include "pipeline/compile_cluster.h"

namespace capwright {

// Reports every place where a secret would violate the policy. Call it when files are split.
void check_secret_policy(CompiledCluster& cluster, const ProjectOptions&, Stage&);

// `secrets.form` of a cluster, and where it is set; empty if the values don't set it.
std::string_view secrets_form(const CompiledCluster& cluster);
Span form_place(const CompiledCluster& cluster);

}  // namespace capwright
