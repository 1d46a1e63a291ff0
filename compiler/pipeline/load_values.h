// The stages of values: layers, merge, normalize, defaults, resolve, validate, complete, freeze.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/own_objects.h"
#include "pipeline/project.h"
#include "pipeline/template_set.h"
#include "secrets/known_secrets.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

struct LoadedValues {
  std::string name;                  // `cluster_name`; the stem of the values file if that is missing or invalid
  const TemplateSet* set = nullptr;  // null: the values don't determine it
  Value values;                      // frozen; Null when they have errors
  Value unchecked;                   // the merged values with defaults, if they have errors; Null: not known
  std::vector<Value> layers;         // as they were merged, lowest first
  KnownSecrets secrets;
  OwnObjects own;
};

// The layers of a values file, lowest first, for messages about other clusters. Encrypted ones are left out.
std::vector<Value> layers_of(const std::string& values_path, Project&, Stage&);

LoadedValues load_values(const std::string& values_path, Project&, Stage&);

// `network.node_cidr`, `pod_cidrs` and `service_cidrs` must not overlap or have host bits set. After errors of
// validation, which are the diagnostics from number `first` on, only ranges count that the errors can't change.
void check_ranges(const Value& values, std::size_t first, Stage&);

// For values of the user's own templates: warns of unquoted scalars that aren't secret and have no message yet, and
// that PyYAML, the reader of scripts and of Ansible, reads differently.
void report_yaml11_values(const Value& values, Stage&);

}  // namespace capwright
