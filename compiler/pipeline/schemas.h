// The kinds of the management cluster that a repository targets: from built-in digests, and its own.
#pragma once
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crd/registry.h"
#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

// The folder of digests, in the binary and in a repository.
inline constexpr std::string_view kDigestFolder = "schemas/crds/";

// The built-in digests; they live as long as the program.
std::span<const crd::DigestFile> built_in_digests();

struct KnownSchemas {
  std::deque<std::string> own;  // paths and texts of the repository's digests
  std::vector<crd::DigestFile> files;
  std::unique_ptr<crd::Registry> registry;
};

// A digest of the repository replaces the built-in one with the same path. Reports targets without a matching release,
// and unknown feature gates.
KnownSchemas load_schemas(FileSystem&, const Workspace&, const Config&, Stage&);

}  // namespace capwright
