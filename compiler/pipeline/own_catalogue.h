// Facts of a repository's own that are newer than those in the binary: its files lie over the built-in ones, entry by
// entry, so that a new chart or a new version of Kubernetes needs no new capwright. Values keep the places that they
// were read from.
#pragma once
#include <string>

#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

// The files of `folder`, checked against schemas/catalogue/own.schema.json and the built-in files. Faults are reported;
// a file with errors, and one that is older than the built-in facts, counts as missing.
OwnCatalogue read_own_catalogue(FileSystem& fs, const Workspace& workspace, const std::string& folder, Stage& stage);

// schemas/catalogue/addons.yaml with the repository's entries laid over, by `id`.
Value addon_facts(const OwnCatalogue& own, Stage& stage);
// schemas/catalogue/kubernetes.yaml, by `title` of the offer and `minor` of the release.
Value kubernetes_facts(const OwnCatalogue& own, Stage& stage);

}  // namespace capwright
