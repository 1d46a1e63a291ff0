// Add-ons of the repository: each folder `addons/<id>/` with a file `addon.yaml` is an entry of the add-on catalogue.
// The entry has the file's keys; `values.yaml` holds the chart's values, `manifests/` further objects, and a name that
// ends with `.j2` makes a template of both.
#pragma once
#include <string_view>
#include <vector>

#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

inline constexpr std::string_view kOwnAddons = "addons", kAddonFacts = "addon.yaml";
inline constexpr std::string_view kAddonSchema = "schemas/catalogue/addon.schema.json";

// Reads all add-ons. Reports errors, and ignores add-ons with errors. `own`: the repository's other facts.
std::vector<OwnAddon> read_own_addons(FileSystem&, const Workspace&, const OwnCatalogue& own, Stage&);

// The catalogue of add-ons with these added. They have passed read_own_addons().
Value with_own_addons(const Value& catalogue, const std::vector<OwnAddon>&, Stage&);

// What the add-ons add to the schema of values: their settings, and the ids of network plug-ins.
Value own_addon_schema(const OwnCatalogue&, Stage&);

// The name of a template or text of an add-on for `include`. Empty: no template includes the file.
std::string included_name(const OwnAddon&, const OwnAddon::File&);

// Reports files of the add-ons' folders that nothing reads: they are probably misspelt.
void report_unused_addon_files(FileSystem&, const Workspace&, Sink&);

}  // namespace capwright
