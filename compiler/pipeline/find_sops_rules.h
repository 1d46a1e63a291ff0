// Who may decrypt the secrets of a cluster: the creation rules of the repository's `.sops.yaml`, or keys in the values.
#pragma once
#include <string>
#include <string_view>

#include "pipeline/config.h"
#include "secrets/sops.h"
#include "source/file_system.h"
#include "value/value.h"

namespace capwright {

// `secrets.sops.age` if it is set. Else the nearest `.sops.yaml`, from the output folder of the configuration up to the
// top of the Git repository; without a repository, up to the workspace. Neither: both are empty.
secrets::SopsKeys find_sops_keys(const Value& values, FileSystem& fs, const Workspace& workspace, const Config& config);

// A rendered path as rules see it: below the output folder of the configuration, wherever this run writes.
std::string path_in_repository(std::string_view rendered, const Config& config);

}  // namespace capwright
