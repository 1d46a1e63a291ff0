// Turns manifests of existing clusters into values, patches and resources, and proves what their render would change.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "workflow/import_convert.h"
#include "workflow/import_objects.h"
#include "workflow/import_values.h"
#include "workflow/session.h"
#include "workflow/stop.h"

namespace capwright::workflow {

// What became of an imported field.
enum class FieldFate : std::uint8_t { Rendered, Patched, Resource, Dropped, Lost };
std::string_view fate_name(FieldFate fate);  // "values", "patch", "resource", "dropped", "lost"

struct FieldAccount {
  std::string object, path;  // an empty path: the whole object
  std::size_t fields = 0;    // scalars at the path and below
  FieldFate fate = FieldFate::Rendered;
};

struct ClusterImport {
  std::string name, error;                   // `error`: why it has no values; otherwise empty
  std::map<std::string, std::string> files;  // text by path from the root
  std::vector<FieldAccount> accounts;        // all but Rendered
  std::map<FieldFate, std::size_t> fields;   // counts
  std::vector<ExampleValue> examples;        // values that the manifests don't say
  std::vector<std::string> removed;          // objects that the templates render and the manifests lack
  std::vector<ConvertedObject> converted;    // before the values were found
  std::size_t existing_names = 0, renders = 0;
  Value values;            // of its values file
  plan::ClusterPlan plan;  // from the imported objects to the render

  // Whether the render only takes over what exists.
  bool is_proven() const;
  // Machines that are replaced or deleted.
  std::int64_t replaced() const;
};

// Of all clusters, by name. Nothing is written.
std::vector<ClusterImport> import_clusters(Session& session, ImportedManifests& manifests);

// A layer of what clusters have in common.
struct ImportedLayer {
  std::string path, text;         // without a text, there is no layer
  std::vector<std::string> keys;  // `network.dns_nameservers`, in the order of the first cluster
};

// Writes the files of all clusters and the layer below the root of the repository. Without `force`, an existing file
// stops it before the first one is written.
std::optional<Stop> write_import(Session& session, const std::vector<ClusterImport>& imports,
                                 const ImportedLayer& layer, bool force);

}  // namespace capwright::workflow
