// The operating system's programs, clock and trusted certificates (Linux).
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
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

// The name of this machine; "?": it has none.
std::string host_name();
int process_id();

// The file with the certificates that this machine trusts: the one that SSL_CERT_FILE names, or else the
// distribution's; empty if there is none. Each distribution has it in another place, and the TLS libraries that the
// program is linked with know only Debian's.
std::string authorities_file();

// Secrets that the process makes for itself; nothing that is rendered or written depends on them.
// 32 hexadecimal digits of the system's random numbers. Empty: the system has none.
std::string real_token();

// When a file was last replaced or changed. Equal stamps: the file is very likely the same.
struct FileStamp {
  std::int64_t seconds = 0, nanoseconds = 0;  // of the last change
  std::uint64_t size = 0, inode = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Of a file or directory; links are followed. Empty: there is none.
std::optional<FileStamp> real_stamp(const std::string& path);

}  // namespace capwright
