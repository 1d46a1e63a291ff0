// Collects what the Ansible inventory of a cluster holds: hosts that the values list, because machines get their names
// when they are created, and the variables of schemas/catalogue/inventory.yaml.
#pragma once
#include "report/inventory_report.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::workflow {

// `values` are frozen. Reports hosts of a pool that the cluster doesn't have, and variables with secrets, which belong
// into Ansible Vault.
report::Inventory make_inventory(const Value& values, Stage& stage);

}  // namespace capwright::workflow
