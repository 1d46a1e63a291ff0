// Cases about names with digests: the kinds that have them (option `rotated`), the result of earlier renders
// (`earlier.yaml`, `touched`), and the names after the case's own render (`names`).
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "files/file_set.h"
#include "support/spec_file.h"
#include "value/stage.h"

namespace capwright::spec {

// `rotated: A, B`: the kinds; `retain: 2`. `force` is an option of the tree, too.
bool is_rotation_option(std::string_view key);
bool rotates(const Case&);

struct RenderedCase {
  FileSet files;
  RenderTrace trace;
};
using RenderValues = std::function<RenderedCase(const Value&)>;

// The files of `values`, renamed. Before them, each document of `earlier.yaml` is rendered in the same way, and the
// next one continues from it. Then `touched` replaces files of the last one like manual edits (`--- path` and the
// text), or deletes them (no text).
RenderedCase rotate_case(const Case&, const Value& values, const RenderValues&, Stage&);

// `kind name file`, one line per object; `(retired 1)` after objects that are only kept.
std::string dump_names(const FileSet&);

}  // namespace capwright::spec
