// The operating system's clock for runs of steps.
#pragma once
#include "source/real_system.h"
#include "steps/clock.h"

namespace capwright::workflow {

class RealClock final : public steps::Clock {
 public:
  std::int64_t seconds() override { return real_seconds(); }
  int nanoseconds() override { return real_nanoseconds(); }
  void wait(std::int64_t seconds) override { real_wait(seconds); }
};

}  // namespace capwright::workflow
