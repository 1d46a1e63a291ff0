// Adds the digest of their spec to the names of immutable templates: a changed spec becomes a new object, and Cluster
// API, which compares names only, replaces the machines. Updates references within the cluster.
#pragma once
#include <span>
#include <string>

#include "files/file_set.h"
#include "files/previous.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// The source of the files: the kinds to rename, the render's trace, which is continued, and the previous render.
struct Rendered {
  std::span<const std::string> kinds;
  RenderTrace& trace;
  const PreviousCluster& previous;
  Value existing = {};  // `existing_names` of the values: objects that keep the names they had; Null: none
};

// Returns `files` with the objects of these kinds renamed at all places of their names, and lists them in rotation().
// Inserts bytes without printing anything again. A name keeps its maker; its digest has the makers of the spec, and a
// frame in the trace identifies the object. Objects that can't be renamed are reported and keep their names.
//
// An object that `existing` lists by its kind and rendered name, including the digest, gets the listed name instead,
// and so do references to it. The kind needs no digest. A changed spec has another digest, which isn't listed.
//
// A name is a function of the spec, unless another spec of an earlier generation already uses it: see EarlierNames.
//
// A reference is a map with `kind` and `name`, and the API group as `apiGroup`, in `apiVersion`, or not at all; the map
// at `classRef` has no kind. Reports references between renamed templates as errors: no built-in kind has them. A
// ClusterClass refers to templates. Its digest includes their new names, and a class of the cluster's `resources` keeps
// its name.
FileSet rotate_names(FileSet files, const ReadManifests&, const Rendered&, Stage&);

}  // namespace capwright::rotation
