// Runs other programs: input and output through pipes, with limits on time and output. RealPrograms starts processes;
// tests use a fake.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

// One run of a program. `input` never appears in arguments, the environment or a file.
struct ProgramRun {
  std::string program;                 // looked up in PATH, unless it has a slash
  std::vector<std::string> arguments;  // without the program's own name
  std::string folder;                  // where it runs; "" is the working directory
  std::vector<std::string> unset;      // variables to remove from its environment
  std::string_view input;              // its standard input
  std::uint64_t most_output = 0;       // bytes; more output ends the run
  std::uint32_t most_milliseconds = 0;
};

struct ProgramEnd {
  enum class How : std::uint8_t {
    Exited,      // `code` is its exit code
    Signalled,   // `code` is the signal's number
    NotFound,    // the program doesn't exist
    NotStarted,  // `code` is an errno
    Refused,     // by us, before the start: it would send a Vault token to the server in `errors`
    TimedOut,    // ended by us, as are the following
    TooMuchOutput,
  };
  How how = How::NotStarted;
  int code = 0;
  std::string output;  // standard output
  std::string errors;  // the first kMostErrors bytes of standard error

  bool succeeded() const { return how == How::Exited && code == 0; }
};

inline constexpr std::size_t kMostErrors = 64 * 1024;

class Programs {
 public:
  virtual ~Programs() = default;
  // Waits for the end of the run. Several threads may call it concurrently.
  virtual ProgramEnd run(const ProgramRun&) = 0;
};

// "ended with exit code 2", "was killed by signal 9", "did not end within 60 seconds": describes a run that failed.
std::string describe(const ProgramEnd&, const ProgramRun&);

}  // namespace capwright
