// The operating system's programs (Linux).
#pragma once
#include <mutex>
#include <set>
#include <string>

#include "source/process.h"

namespace capwright {

// One may serve all threads. A program inherits the environment and the terminal, so that it may ask for a
// passphrase, and the process group, so that Ctrl-C ends it too; of open files it gets its three pipes alone. One
// that doesn't end in time is ended with all that it has started, and isn't started again: who encrypts a hundred files
// with it doesn't wait a hundred times.
class RealPrograms final : public Programs {
 public:
  ProgramEnd run(const ProgramRun&) override;

 private:
  std::mutex mutex_;
  std::set<std::string> hung_;
};

}  // namespace capwright
