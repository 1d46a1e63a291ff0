// Secrets that stand outside of any Secret, told by what they look like: CAP707 reports them, and no report shows them.
#pragma once
#include <string_view>
#include <vector>

#include "lint/cluster.h"
#include "lint/node.h"
#include "lint/object.h"

namespace capwright::lint {

struct LooseSecret {
  Node node;
  std::string_view key;   // empty: an item of a list
  std::string_view what;  // "a private key", by its form; empty: told by its name
  // A file for a machine, of which a line sets something that is called a secret. What it is, nobody knows.
  bool is_file = false;
};

// In order. Bytes of marked secrets, and what is data of a Secret in any form, are others' to judge.
const std::vector<LooseSecret>& loose_secrets(const Object& object);
// The same of a cluster's documents that are no objects: values of charts.
const std::vector<LooseSecret>& loose_secrets_outside_objects(const Cluster& cluster);

}  // namespace capwright::lint
