// Runs programs that take minutes: their output is passed on while they run, and requests to stop reach them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

// A program that runs without terminal, standard input and shell.
struct LongRun {
  std::string program;                   // a path
  std::vector<std::string> arguments;    // without the program's own name
  std::string folder;                    // where it runs
  std::vector<std::string> environment;  // "NAME=value"; nothing else is inherited
  int kept = -1;  // a descriptor that it keeps open, so that a lock lasts as long as the program; -1: none
};

struct LongEnd {
  enum class How : std::uint8_t { Exited, Signalled, NotStarted };
  How how = How::NotStarted;
  int code = 0;    // the exit code, the signal's number, or an errno
  int signal = 0;  // the request to stop that was passed to it; 0: none

  bool succeeded() const { return how == How::Exited && code == 0; }
};

class RunListener {
 public:
  virtual ~RunListener() = default;
  // The next bytes of its standard output and standard error, in the order in which they were written.
  virtual void receive(std::string_view bytes) = 0;
  // At least once a minute.
  virtual void tick() {}
};

class LongPrograms {
 public:
  virtual ~LongPrograms() = default;
  // Waits for the end of the program, also after a request to stop, which it gets at most once per request.
  virtual LongEnd run(const LongRun&, RunListener&) = 0;
  // Returns the number of the signal that ended the wait, otherwise 0.
  virtual int wait(std::int64_t seconds) = 0;
  // The path of an executable file in the folders of a `PATH`; empty: there is none.
  virtual std::string find(std::string_view name, std::string_view path) = 0;
};

// "ended with exit code 2", "was killed by signal 9": describes a run that failed.
std::string describe(const LongEnd&);

}  // namespace capwright
