// Reads the `patches` and `resources` of a cluster's values, and adds the objects of these files.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "pipeline/own_objects.h"
#include "pipeline/project.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright {

// Whether a file that the repository names is in the folder of capwright.yaml or below, also after all links. Otherwise
// reports it at `named`: files that only the command line names may be read, but not rendered as they are.
bool is_own_file(const std::string& shown, Span named, Project&, Stage&);

// Returns `values` with each of `patches` as data: files that `path` names and texts are read, and one with several
// documents becomes several patches. References aren't resolved. Reports patches without content.
Value read_patches(const Value& values, Project&, Stage&);

// Reads the files of `resources`, a List or null; parses those whose name ends in `.j2` with the options of the set.
std::vector<OwnResource> read_resources(const Value* resources, const std::string& cluster, const TemplateSet&,
                                        Project&, Stage&);

// The render that the files join. Texts that are made from secrets are appended to `secret_texts`.
struct ResourceRender {
  const TemplateSet& set;
  const Value& values;
  Delivery delivery;
  bool trace_control;
  RenderTrace& trace;
  std::vector<std::string_view>& secret_texts;
};

// Adds the resources to the rendered files. Reports files and objects that exist already.
FileSet add_resources(FileSet files, std::span<const OwnResource>, const ResourceRender&, Stage&);

}  // namespace capwright
