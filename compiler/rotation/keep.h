// Keeps earlier generations of rotated templates: a machine set that is being replaced still creates machines from the
// old template, so its manifest stays in the tree until newer generations displace it.
#pragma once
#include <cstdint>
#include <string_view>

#include "files/file_set.h"
#include "files/previous.h"
#include "value/stage.h"

namespace capwright::rotation {

// In the cluster's folder beside the other files: Argo CD doesn't read subfolders there.
inline constexpr std::string_view kRetiredFile = "retired-templates.yaml";

struct KeepOptions {
  const PreviousCluster& written;  // the output folder, which may have a retired file that the commit lacks
  std::uint32_t generations = 1;   // kept for each template
  bool force = false;              // continue although the retired file was edited
  Value existing = {};             // `existing_names` of the values, as for rotate_names()
  bool by_flux = false;            // Flux applies the tree, and has an option of its own that keeps an object
};

// Returns `files` with the retired file, if there are retired templates, and lists them in rotation(). Only a changed
// spec retires the previous generation; one that is used again is no longer retired. Templates that are no longer
// rendered leave nothing, nor do those of a cluster with its own ClusterClass: Cluster API makes machines from copies
// of them, and deletes them with their class. Idempotent: the same values with the result as `previous` give the same
// result. A missing retired file is an error; other templates that can't be kept are warnings.
FileSet keep_generations(FileSet files, const PreviousCluster& previous, KeepOptions, RenderTrace&, Stage&);

}  // namespace capwright::rotation
