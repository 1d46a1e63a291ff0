// The operating system's programs (Linux).
#pragma once
#include "source/process.h"

namespace capwright {

// Stateless: one may serve all threads. A program inherits the environment and the terminal, so that it may ask for a
// passphrase, and the process group, so that Ctrl-C ends it too; of open files it gets its three pipes alone.
class RealPrograms final : public Programs {
 public:
  ProgramEnd run(const ProgramRun&) override;
};

}  // namespace capwright
