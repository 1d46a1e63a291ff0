// Secrets outside of any Secret, recognized by their form or name: CAP707 reports them, and reports redact them.
#pragma once
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"
#include "lint/model/node.h"
#include "lint/model/object.h"

namespace capwright::lint {

struct LooseSecret {
  Node node;
  std::string_view key;   // empty: an item of a list
  std::string_view what;  // "a private key", by its form; empty: recognized by its name
  // A file for a machine with a line that sets a key named like a secret. The kind of secret is unknown.
  bool is_file = false;
};

// In order. Excludes bytes of marked secrets and the data of Secrets in any form, which other code handles.
const std::vector<LooseSecret>& loose_secrets(const Object& object);
// The same for a cluster's documents that aren't objects: values of charts.
const std::vector<LooseSecret>& loose_secrets_outside_objects(const Cluster& cluster);

}  // namespace capwright::lint
