// State and logs: files that only their owner can read, and that survive a power failure.
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

class PrivateFiles {
 public:
  virtual ~PrivateFiles() = default;
  // Creates a folder and its missing parents with mode 0700. Restricts an existing folder to its owner; ELOOP if it is
  // a symbolic link.
  virtual IoError make_dirs(const std::string& folder) = 0;
  // Replaces a file atomically, with mode 0600; on return it is on the disk. A link at `path` is replaced, not
  // followed; ELOOP if its folder is one.
  virtual IoError replace(const std::string& path, std::string_view bytes) = 0;
};

}  // namespace capwright
