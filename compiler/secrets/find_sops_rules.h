// Finds the recipients of a cluster's secrets: the creation rules of the repository's `.sops.yaml`, or keys in the
// values.
#pragma once
#include <string>
#include <string_view>

#include "files/workspace.h"
#include "secrets/sops.h"
#include "source/file_system.h"
#include "value/value.h"

namespace capwright {

// `secrets.sops.age` if it is set. Otherwise the nearest `.sops.yaml`, from the configured output folder up to the root
// of the Git repository, or of the workspace without one. Both are empty if neither exists.
secrets::SopsKeys find_sops_keys(const Value& values, FileSystem& fs, const Workspace& workspace,
                                 std::string_view output);

// The path that rules match for a rendered file: below the configured output folder, wherever this run writes.
std::string path_in_repository(std::string_view rendered, std::string_view output);

}  // namespace capwright
