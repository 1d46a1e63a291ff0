// Cases about names with digests: which kinds have them (option `rotated`), what earlier renders left (`earlier.yaml`,
// `touched`), and what is named how after the case's own (`names`).
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "files/file_set.h"
#include "support/spec_file.h"
#include "value/stage.h"

namespace capwright::spec {

// `rotated: A, B`: the kinds; `retain: 2`. `force` is an option of the tree too.
bool is_rotation_option(std::string_view key);
bool rotates(const Case&);

struct RenderedCase {
  FileSet files;
  RenderTrace trace;
};
using RenderValues = std::function<RenderedCase(const Value&)>;

// The files of `values`, renamed. Before them, each document of `earlier.yaml` is rendered in the same way, and the
// next goes on from it. `touched` then replaces files of the last one as if somebody had edited them (`--- path` and
// the text), or deleted them (no text).
RenderedCase rotate_case(const Case&, const Value& values, const RenderValues&, Stage&);

// `kind name file`, a line for each object; `(retired 1)` behind those that are kept.
std::string dump_names(const FileSet&);

}  // namespace capwright::spec
