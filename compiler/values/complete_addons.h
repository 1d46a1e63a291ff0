// `addons` as templates see it: the catalogue's facts below what the values say, implied add-ons, vendored manifests.
// The contract is stated in schemas/catalogue/README.md.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

// Brings a file of the repository as a source of this run; nothing when it is not there. Other faults are reported.
using VendoredFiles = std::function<std::optional<FileId>(const std::string& path)>;

// `values` (validated) with `addons` replaced by finished entries, sorted by `order`, then by id.
// `restamp` makes a catalogue Value belong to this Stage (origins and sources of the shared part are others).
Value complete_addons(Value values, const AddonCatalogue&, const std::function<Value(const Value&)>& restamp,
                      const VendoredFiles&, Stage&);

}  // namespace capwright::values
