// The catalogue of add-ons as `capwright addons` shows it: the rows of a list, and the page of one add-on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster.h"
#include "value/stage.h"
#include "values/addon_catalogue.h"

namespace capwright::cli {

// The catalogue with the repository's own entries, and the data that its values point into.
struct Catalogue {
  explicit Catalogue(const OwnCatalogue& own = {});

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  values::AddonCatalogue addons;
  Value schema;            // of the values that all sets share
  std::string_view as_of;  // the date of its facts
};

// An add-on in a list: as in the catalogue, or as the given cluster installs it.
struct AddonRow {
  const values::Addon* addon = nullptr;
  // For a cluster: `listed` in its values, `implied` by its cloud, `available`, `excluded` by another of its add-ons,
  // or `unfit` for its cloud or kind. Empty without a cluster.
  std::string_view state;
  Value entry;                     // the catalogue's or the completed one
  std::vector<std::string> notes;  // why it is excluded, what it requires, whether it is retired
};

// The health checks of Argo CD for argocd-cm: the built-in ones and those of the repository's add-ons.
std::string health_checks(const values::AddonCatalogue&);

// All add-ons, in the order of installation.
std::vector<AddonRow> addon_rows(const Catalogue&);
std::vector<AddonRow> addon_rows(const Catalogue&, const CompiledCluster&);

// Human-readable lines; as JSON: {"version": 1, "as_of", "cluster"?, "addons": [{…the entry's keys, "conflicts" in both
// directions, "state"?, "notes"}]}. Both end with a line break.
std::string addon_list_text(const std::vector<AddonRow>&);
std::string addon_list_json(const Catalogue&, const std::vector<AddonRow>&, std::string_view cluster);

// The page of one add-on; as JSON: a row's keys, and the keys of `addon_settings.ID` ("settings") and of
// `secrets.addons.ID` ("secrets").
std::string addon_page_text(const Catalogue&, const values::Addon&);
std::string addon_page_json(const Catalogue&, const values::Addon&);

}  // namespace capwright::cli
