// `addons` for templates: the catalogue's facts merged with the values, implied add-ons, vendored manifests.
// schemas/catalogue/README.md states the contract.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

// Adds a file of the repository to the sources of this run; empty if it doesn't exist. Reports other errors.
using VendoredFiles = std::function<std::optional<FileId>(const std::string& path)>;

// Returns validated `values` with `addons` replaced by complete entries, sorted by `order`, then by id. `restamp` moves
// a catalogue Value to this Stage (the shared part has other origins and sources).
Value complete_addons(Value values, const AddonCatalogue&, const std::function<Value(const Value&)>& restamp,
                      const VendoredFiles&, Stage&);

}  // namespace capwright::values
