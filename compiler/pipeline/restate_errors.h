// Validation checks normalized values, and templates see merged ones. These steps restate their errors for the files
// that the user edits.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/layers.h"
#include "pipeline/other_layers.h"
#include "pipeline/project.h"
#include "pipeline/template_set.h"
#include "value/stage.h"
#include "value/value.h"
#include "values/normalize.h"

namespace capwright {

// The values before validation, as they were written.
struct WrittenValues {
  std::span<const Value> layers;  // lowest first
  const Value& merged;
  const std::vector<values::Renamed>& renamed;  // keys that normalization renamed
};

// Restates the diagnostics from number `first` on, which are those of validation:
// * drops those about repeated add-ons that normalization has reported, as duplicate or unknown;
// * notes layers that set a missing key, but whose `when` doesn't match;
// * moves a missing value to the null that removes it;
// * names keys as they were written.
// Errors that are dropped still count as errors of the sink.
void restate_errors(std::size_t first, const WrittenValues&, const LayerRequest&, const LayerPlace&, Stage&);

// The set that a cluster uses: `provider` as its values state it, in or above the file at `values_path`.
struct UsedSet {
  const TemplateSet& set;
  std::string_view provider, values_path;
  Project& project;
};

// For unknown keys among the diagnostics from number `first` on that another provider's set has: names the provider,
// and the layer that the key belongs into. Before restate_errors(), which renames keys.
void name_providers(std::size_t first, const UsedSet&, Stage&);

// Names the null that dropped a value from the `layers`, in the diagnostics from number `first` on that call the value
// undefined.
void explain_nulls(std::size_t first, std::span<const Value> layers, Stage&);

// For own templates: says in the diagnostics from number `first` on that call `cluster_name` undefined where to write
// it. `name`: of the cluster.
void explain_missing_name(std::size_t first, const std::string& name, const std::string& values_path, Sink&);

}  // namespace capwright
