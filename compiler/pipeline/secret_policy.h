// Where bytes of a secret may go. A marked value may leave only in the form that `secrets.form` names, and there only
// as data of a Secret; readable ones (`plain`) only to standard output or to a folder outside of every Git work tree,
// and never in CI.
#pragma once
#include <string_view>

#include "pipeline/compile_cluster.h"

namespace capwright {

// Reports every place where a secret would leave against the policy. To be run when files are split.
void check_secret_policy(CompiledCluster& cluster, const ProjectOptions&, Stage&);

// `secrets.form` of a cluster, and where it is set; empty when the values have none.
std::string_view secrets_form(const CompiledCluster& cluster);
Span form_place(const CompiledCluster& cluster);

}  // namespace capwright
