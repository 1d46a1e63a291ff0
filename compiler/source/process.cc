// Messages about how a program ended.
#include "source/process.h"

#include <fmt/format.h>

#include "source/file_system.h"

namespace capwright {

std::string describe(const ProgramEnd& end, const ProgramRun& run) {
  switch (end.how) {
    case ProgramEnd::How::Exited: return fmt::format("ended with exit code {}", end.code);
    case ProgramEnd::How::Signalled: return fmt::format("was killed by signal {}", end.code);
    case ProgramEnd::How::NotFound: return "is not there";
    case ProgramEnd::How::Refused: return "is not started";
    case ProgramEnd::How::NotStarted: return "can't be started: " + describe(IoError{end.code});
    case ProgramEnd::How::TimedOut: return fmt::format("did not end within {} seconds", run.most_milliseconds / 1000);
    case ProgramEnd::How::TooMuchOutput: return fmt::format("printed more than {} bytes", run.most_output);
  }
  return "";
}

}  // namespace capwright
