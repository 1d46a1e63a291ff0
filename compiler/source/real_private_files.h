// The operating system's private files (Linux).
#pragma once
#include <string>
#include <string_view>

#include "source/private_files.h"

namespace capwright {

// Stateless: all threads may share one.
class RealPrivateFiles final : public PrivateFiles {
 public:
  IoError make_dirs(const std::string& folder) override;
  IoError replace(const std::string& path, std::string_view bytes) override;
};

// A file that only grows.
class PrivateLog {
 public:
  PrivateLog() = default;
  PrivateLog(const PrivateLog&) = delete;
  PrivateLog& operator=(const PrivateLog&) = delete;
  ~PrivateLog();

  // Creates the file with mode 0600. EEXIST if there is one.
  IoError open(const std::string& path);
  // The first error stays: later calls return it, too.
  IoError write(std::string_view bytes);

 private:
  int file_ = -1;
  IoError error_;
};

}  // namespace capwright
