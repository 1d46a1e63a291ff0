// `addons` for templates: the catalogue's facts merged with the values, implied add-ons, vendored manifests.
// schemas/catalogue/README.md states the contract.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "value/stage.h"
#include "value/value.h"
#include "values/addon_catalogue.h"

namespace capwright::values {

// Adds a file of the repository to the sources of this run; empty if it doesn't exist. Reports other errors.
using VendoredFiles = std::function<std::optional<FileId>(const std::string& path)>;

// What completion reads besides the values.
struct AddonInputs {
  const std::function<Value(const Value&)>& restamp;  // moves a catalogue Value to the Stage: it has other origins
  const VendoredFiles& files;
  bool only_manifests = false;  // the tool that applies the tree rejects other files, such as chart values
};

// Returns validated `values` with `addons` replaced by complete entries, sorted by `order`, then by id.
Value complete_addons(Value values, const AddonCatalogue&, const AddonInputs&, Stage&);

// Checks that a user's chart values mean the same as a map and as text: an unquoted scalar to which the values reader
// (YAML 1.2) and Helm's (YAML 1.1 as in go-yaml) give different types is a finding.

// `own`: the `values` of the add-on `id` or its entry in `addon_values`. A text is already in Helm's form: only its
// keys are checked, which Helm converts to text again. `merges`: they are laid over default values, so a key without a
// value, which drops some of these, is a finding.
void check_chart_values(std::string_view id, const Value& own, bool merges, Stage& stage);

}  // namespace capwright::values
