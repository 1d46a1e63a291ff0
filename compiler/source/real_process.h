// The operating system's programs (Linux).
#pragma once
#include <mutex>
#include <set>
#include <string>

#include "source/process.h"

namespace capwright {

// All threads may share one. A program inherits the environment and the terminal, so that it may ask for a passphrase,
// and the process group, so that Ctrl-C ends it too; it gets no open files except its three pipes. A program that
// exceeds its time limit is killed with all its descendants and isn't started again, so that encrypting a hundred files
// doesn't time out a hundred times.
class RealPrograms final : public Programs {
 public:
  ProgramEnd run(const ProgramRun&) override;

 private:
  std::mutex mutex_;
  std::set<std::string> hung_;
};

}  // namespace capwright
