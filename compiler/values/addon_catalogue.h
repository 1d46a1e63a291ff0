// The add-on catalogue: dated data (schemas/catalogue/addons.yaml), read once, shared by all clusters.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// A place where an add-on doesn't work although its lists allow it.
struct Exclusion {
  std::vector<std::string_view> providers, kubernetes_types;  // empty: all
  std::string_view why;
};

struct Conflict {
  std::string_view with, why;
};

struct Addon {
  std::string_view id;
  std::string_view role;  // `cni`: a cluster has at most one; empty: no role
  std::vector<std::string_view> aliases;
  std::vector<std::string_view> providers;         // clouds; empty: everywhere
  std::vector<std::string_view> kubernetes_types;  // empty: all
  std::vector<std::string_view> implied_for;       // clouds on which it is installed by default
  std::vector<Exclusion> not_on;
  std::vector<std::string_view> needs;  // must be present, in a lower wave
  std::vector<std::string_view> after;  // if they are present, their wave must not be higher
  std::vector<Conflict> conflicts;
  std::string_view retired;  // the reason and the replacement; empty: it is maintained
  std::string_view chart;    // empty: it is installed from manifests
  bool has_chart = false;
  std::int64_t order = 0;
  std::string_view manifest;         // path with `{version}`; empty: none
  std::string_view manifest_source;  // where to download it, for the error if it is missing
  Value entry;                       // the whole entry, as written
};

// Views and Values point into the Stage that read the file.
struct AddonCatalogue {
  std::string_view provider;  // the cloud of the template set, or the set's id
  std::vector<Addon> addons;  // in the file's order

  const Addon* find(std::string_view id) const;             // by id
  const Addon* find_or_alias(std::string_view name) const;  // by id or alias
  std::vector<std::string_view> names() const;              // ids and aliases, for suggestions
};

// The minor version in a cluster's `kubernetes_version`, "1.35" for v1.35.8, which selects versions and tags. Empty:
// none.
std::string_view kubernetes_minor(const Value& values);

// `document`: the parsed addons.yaml. The file is part of the program: an invalid one is a bug, not a finding.
AddonCatalogue read_addon_catalogue(const Value& document);

}  // namespace capwright::values
