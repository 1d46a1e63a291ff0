// The files built into the binary: the template sets below templates/, the schemas below schemas/, and the version.
#pragma once

#include <span>
#include <string_view>

namespace capwright::embedded {

struct File {
  std::string_view path;  // relative to the project's root, such as `templates/capo/cluster.yaml.j2`
  std::string_view text;  // the file's bytes, unchanged
};

// Every built-in file, sorted by the bytes of its path. Lives as long as the program.
std::span<const File> files();

// The version of this build, such as `0.1.0`.
std::string_view version();

}  // namespace capwright::embedded
