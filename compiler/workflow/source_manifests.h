// Reads the manifests of `sources` in capwright.yaml: files, and the output of commands.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lint/engine/lint.h"
#include "pipeline/manifest_sources.h"
#include "source/process.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// Where sources are read: the working tree, another checkout, or a commit.
struct SourceAccess {
  FileSystem& fs;
  const Workspace& workspace;
  Programs* programs = nullptr;  // null: no command runs
  std::string folder;            // where commands run; "" is the working directory
  const Limits& limits;
};

// Those of the working tree.
SourceAccess access_to_sources(OpenProject& open);

// As a group of that name. Its texts must outlive what is made from it. Reports errors, and a command that doesn't run.
lint::ManifestGroup read_manifest_source(const ManifestSource& source, const SourceAccess& access, Sink& sink);

// Several at once, in their order.
std::vector<lint::ManifestGroup> read_manifest_sources(std::span<const ManifestSource* const> sources,
                                                       const SourceAccess& access, Sink& sink);

}  // namespace capwright::workflow
