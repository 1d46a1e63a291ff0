// Dated facts that rules look up: the files of schemas/catalogue/, parsed once per run and shared by all threads.
#pragma once
#include <string>
#include <string_view>

#include "facts/catalogue.h"
#include "lint/model/cluster.h"
#include "value/value.h"
#include "values/addon_catalogue.h"

namespace capwright::lint {

// schemas/catalogue/argocd.yaml and chart-values.yaml
const Value& argocd_facts();
const Value& chart_value_facts();
const Value& network_facts();    // networks.yaml
const Value& contract_facts();   // contracts.yaml
const Value& effect_facts();     // effects.yaml, which `plan` reads
const Value& immutable_facts();  // immutable.yaml
const Value& value_key_facts();  // value-keys.yaml
// schemas/catalogue/kubernetes.yaml, compiled in as well.
const Value& kubernetes_facts();
// The catalogue of the cluster's repository.
const values::AddonCatalogue& addon_catalogue(const Cluster& cluster);

// What the tool that applies the tree does with an object that leaves it: `deliveries` of effects.yaml.
// The tool of the cluster's repository: "Argo CD".
std::string_view delivery_tool(const Cluster& cluster);
// Whether it deletes objects that leave the tree.
bool delivery_deletes(const Cluster& cluster);
// Whether it keeps objects with an ownerReference.
bool delivery_spares_owned(const Cluster& cluster);
// The annotation that makes it keep an object: "argocd.argoproj.io/sync-options: Prune=false"; empty: there is none.
std::string keeping_option(const Cluster& cluster);
// The command that sets this option on the live object; empty if the tool has none.
std::string keeping_command(const Object& object);
// Whether the object has that annotation.
bool is_kept_by_option(const Object& object);

}  // namespace capwright::lint
