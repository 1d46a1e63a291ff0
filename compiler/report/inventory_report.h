// The Ansible inventory of a cluster. docs/inventory.md describes it.
#pragma once
#include <string>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::report {

// The control plane, or a pool of workers.
struct InventoryPool {
  std::string name;
  std::vector<Entry> hosts;      // by name; a Map of the host's variables
  std::vector<Entry> variables;  // of all hosts
};

struct Inventory {
  std::vector<Entry> variables;  // of the cluster
  InventoryPool control_plane;
  std::vector<InventoryPool> workers;
};

// An inventory file for Ansible's plugin `yaml`, with the groups of kubespray.
std::string inventory_as_yaml(const Inventory&, Arena&);

// What `ansible-inventory --list` prints for that file.
std::string inventory_as_json(const Inventory&, Arena&);

}  // namespace capwright::report
