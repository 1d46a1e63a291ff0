// The operating system's programs, clock and trusted certificates (Linux).
#pragma once
#include <cstdint>
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

// The only code that reads the clock: for the times in commits and locks. Rendered output never contains the time.

// Seconds since 1970 in UTC.
std::int64_t real_seconds();

// Milliseconds since an unknown time: for durations. Changes of the clock's time don't affect it.
std::int64_t real_milliseconds();
// Microseconds since an unknown time. Changes of the clock's time don't affect it.
std::int64_t real_microseconds();

// The nanoseconds of the current second.
int real_nanoseconds();

// The offset of local time from UTC at that time, in minutes east.
int minutes_east(std::int64_t seconds);

void real_wait(std::int64_t seconds);

// The file with the certificates that this machine trusts: the one that SSL_CERT_FILE names, or else the
// distribution's; empty if there is none. Each distribution has it in another place, and the TLS libraries that the
// program is linked with know only Debian's.
std::string authorities_file();

}  // namespace capwright
