// Gives immutable templates the digest of their spec as part of their names: a changed spec is then a new object, and
// Cluster API, which looks at names only, replaces the machines. References within the cluster follow.
#pragma once
#include <span>
#include <string>

#include "files/file_set.h"
#include "files/previous.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// What rendered the files: the kinds that are renamed, how their bytes came about, which is continued, and what the
// render before left.
struct Rendered {
  std::span<const std::string> kinds;
  RenderTrace& trace;
  const PreviousCluster& previous;
};

// `files` with the objects of these kinds renamed, wherever their names stand, and listed in rotation(). Bytes are put
// in, nothing is printed anew. A name has the maker it had, its digest the makers of the spec; a frame in the trace
// says whose digest it is. Objects that can't be renamed have a finding and keep their names.
//
// A name is a function of the spec, but where an earlier generation has it for another spec: see EarlierNames.
//
// A reference is a map with `kind` and `name`, and the API group as `apiGroup`, in `apiVersion`, or not at all.
// References from one renamed object to another are refused: no built-in kind has them.
FileSet rotate_names(FileSet files, const ReadManifests&, const Rendered&, Stage&);

}  // namespace capwright::rotation
