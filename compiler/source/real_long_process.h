// Starts real programs, each in its own session: a terminal's Ctrl-C reaches only this process, which passes it on
// once.
#pragma once
#include <csignal>

#include "source/long_process.h"

namespace capwright {

// While it exists, SIGINT, SIGTERM and SIGHUP don't end this process: run() and wait() answer them. SIGINT goes to the
// program and all its children, as from a terminal; the others go to the program alone, because the plug-ins of
// OpenTofu end at once on SIGTERM.
class RealLongPrograms final : public LongPrograms {
 public:
  RealLongPrograms();
  ~RealLongPrograms() override;
  RealLongPrograms(const RealLongPrograms&) = delete;
  RealLongPrograms& operator=(const RealLongPrograms&) = delete;

  LongEnd run(const LongRun&, RunListener&) override;
  int wait(std::int64_t seconds) override;
  // Waits until the descriptor can be read. False if a request to stop came first, which run() or wait() will answer.
  bool wait_for_input(int descriptor);
  std::string find(std::string_view name, std::string_view path) override;

 private:
  int take_signal();

  sigset_t before_{};
  int signals_ = -1;  // a descriptor that delivers them
};

}  // namespace capwright
