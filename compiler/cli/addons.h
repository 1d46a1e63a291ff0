// The catalogue of add-ons as `capwright addons` shows it: rows of a list, the page of one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/compile_cluster.h"
#include "value/stage.h"
#include "values/catalogue.h"

namespace capwright::cli {

// The built-in catalogue, with what its values point into.
struct Catalogue {
  Catalogue();

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  values::AddonCatalogue addons;
  Value schema;            // of the values that all sets share
  std::string_view as_of;  // the day on which its facts were looked up
};

// An add-on in a list: as the catalogue has it or, of a cluster that has it, as that cluster installs it.
struct AddonRow {
  const values::Addon* addon = nullptr;
  // Of a cluster: `listed` in its values, `implied` by its cloud, `available`, `excluded` by another add-on that it
  // has, `unfit` for its cloud or kind. Empty without a cluster.
  std::string_view state;
  Value entry;                     // the catalogue's or the finished one
  std::vector<std::string> notes;  // what keeps it out, what it needs, that it is retired
};

// All of them, in the order of installation.
std::vector<AddonRow> addon_rows(const Catalogue&);
std::vector<AddonRow> addon_rows(const Catalogue&, const CompiledCluster&);

// Lines for people; for programs {"version": 1, "as_of", "cluster"?, "addons": [{…the entry's keys, "conflicts" in both
// directions, "state"?, "notes"}]}. Both end with a line break.
std::string addon_list_text(const std::vector<AddonRow>&);
std::string addon_list_json(const Catalogue&, const std::vector<AddonRow>&, std::string_view cluster);

// Everything about one; for programs a row's keys, and those of `addon_settings.ID` ("settings") and of
// `secrets.addons.ID` ("secrets").
std::string addon_page_text(const Catalogue&, const values::Addon&);
std::string addon_page_json(const Catalogue&, const values::Addon&);

}  // namespace capwright::cli
