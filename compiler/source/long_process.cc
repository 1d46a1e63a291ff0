// Words for messages.
#include "source/long_process.h"

#include <fmt/format.h>

#include "source/file_system.h"

namespace capwright {

std::string describe(const LongEnd& end) {
  if (end.how == LongEnd::How::Exited) return fmt::format("ended with exit code {}", end.code);
  if (end.how == LongEnd::How::Signalled) return fmt::format("was killed by signal {}", end.code);
  return fmt::format("can't be started: {}", describe(IoError{end.code}));
}

}  // namespace capwright
