// A repository's own facts, newer than those in the binary: its files override the built-in ones entry by entry, so
// that a new chart or Kubernetes version doesn't require a new capwright. Values keep their places in the files.
#pragma once
#include <string>

#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

// Reads the files of `folder`, and validates them with schemas/catalogue/own.schema.json and against the built-in
// files. Reports errors. Ignores files with errors and files older than the built-in facts. `named`: where the
// configuration names the folder; unknown: it doesn't.
OwnCatalogue read_own_catalogue(FileSystem& fs, const Workspace& workspace, const std::string& folder, Span named,
                                Stage& stage);

// Reports files of the folder that nothing reads, and a folder that the configuration names and that doesn't exist:
// they are probably misspelt.
void report_unused_files(const OwnCatalogue&, FileSystem&, const Workspace&, Sink&);

// schemas/catalogue/addons.yaml with the repository's entries merged in, by `id`, and its own add-ons.
Value addon_facts(const OwnCatalogue& own, Stage& stage);
// schemas/catalogue/kubernetes.yaml with the repository's entries merged in, by `title` of the offer and `minor` of the
// release.
Value kubernetes_facts(const OwnCatalogue& own, Stage& stage);

}  // namespace capwright
