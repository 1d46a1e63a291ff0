// Allows one run at a time in a folder: the system's lock on it, which ends with its process, and a file `lock` in it
// with the holder.
#pragma once
#include <string>

#include "diag/diag.h"
#include "source/file_system.h"
#include "steps/holder.h"

namespace capwright::steps {

class ProcessLock {
 public:
  // Creates a missing folder. `files` must outlive it.
  ProcessLock(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}
  ~ProcessLock() { release(); }
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;

  enum class Answer : std::uint8_t { Taken, Busy, Failed };
  // Busy: a running process, `other`, holds it. Taken: `other` is a previous holder that died, if any.
  Answer take(const Holder& self, std::string_view subject, std::optional<Holder>& other, Sink& sink);
  // The same, but takes the lock of `other` if it has expired, or in any case with `breaks`: the folder gets out of the
  // way, so it must hold nothing else. A holder on another machine counts until it expires, because not every file
  // system locks across machines.
  Answer take_expired(const Holder& self, std::string_view subject, bool breaks, std::optional<Holder>& other,
                      Sink& sink);
  // Writes another expiry. False after reporting an error, or without one if another run has taken the lock.
  bool renew(const Holder& self, std::string_view subject, Sink& sink);
  // Removes the file, unless another run has taken the lock.
  void release();

 private:
  std::string path() const { return folder_ + "/lock"; }
  std::optional<Holder> written() const;

  FileSystem& files_;
  std::string folder_;
  std::string run_;  // that took it
  Dir locked_;
};

}  // namespace capwright::steps
