// Changes rendered objects by the `patches` of a cluster's values, in the form of kustomize.
#pragma once
#include <vector>

#include "files/file_set.h"
#include "patch/field_history.h"
#include "patch/hidden_inputs.h"
#include "value/provenance.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

struct Patched {
  FileSet files;
  std::vector<HiddenInput> hidden;
  std::vector<RemovedField> removed;
  // A file isn't valid YAML, so patches may have missed objects in it: its errors have to be reported.
  bool has_broken = false;
};

// Returns `files` after all `patches`, a List of Maps in the order to apply. Each has `patch`, a Map (strategic merge)
// or a List (JSON 6902), and may have `target`. Anything but a List means none.
//
// Only bytes that a patch changes get another origin: the part of the patch that they come from, and a frame in the
// trace that identifies the patch. Comments and the layout around them stay, unless a document uses anchors. Reports
// patches that are malformed, fail, match nothing, change nothing or drop what other files' patches add; not what
// matches nothing if a file is broken. A file without objects is dropped. Advice depends on `has_own_templates`: values
// files of own templates have no `patches`.
Patched apply_patches(FileSet files, const Value& patches, bool has_own_templates, RenderTrace& trace, Stage& stage);

}  // namespace capwright::patch
