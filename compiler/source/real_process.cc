// posix_spawn, three pipes and one poll loop. The time limit is a timer descriptor; the clock is never read.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "source/real_fs.h"
#include "source/real_system.h"

namespace capwright {
namespace {

// The polling interval for the end of a program if the kernel can't notify us (before Linux 5.3, and in some
// sandboxes).
constexpr int kTickMilliseconds = 10;

class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void take(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

// A write to a program that has closed its input must fail with EPIPE instead of killing us: blocks SIGPIPE in this
// thread, and consumes it if it came.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;
  ~PipeSignalHeld() {
    const timespec at_once{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) == -1 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

struct Pipe {
  Descriptor ours, theirs;

  // `in`: the program reads from it.
  int open(bool in) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return errno;
    ours.take(in ? ends[1] : ends[0]);
    theirs.take(in ? ends[0] : ends[1]);
    return ::fcntl(ours.number(), F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
  }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<char*> environment_without(const std::vector<std::string>& unset) {
  std::vector<char*> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::find(unset.begin(), unset.end(), name) == unset.end()) all.push_back(*variable);
  }
  all.push_back(nullptr);
  return all;
}

// The kernel lists children per thread that started them. Appends nothing if the kernel has no such list.
void append_children(pid_t process, std::vector<pid_t>& all) {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  RealFs files;
  std::vector<DirEntry> threads;
  const std::string folder = "/proc/" + std::to_string(process) + "/task";
  if (files.list(folder, threads)) return;
  for (const DirEntry& thread : threads) {
    std::string numbers;  // each followed by a space
    if (files.read(folder + "/" + thread.name + "/children", numbers, kMostBytes)) continue;
    const char *at = numbers.data(), *end = at + numbers.size();
    for (pid_t child = 0; at < end; ++at) {
      const auto read = std::from_chars(at, end, child);
      if (read.ec != std::errc()) break;
      all.push_back(child);
      at = read.ptr;
    }
  }
}

class Run {
 public:
  explicit Run(const ProgramRun& asked) : asked_(asked) {}

  ProgramEnd run() {
    const PipeSignalHeld held;
    if (int error = start(held.before()); error != 0) {
      end_.how = error == ENOENT ? ProgramEnd::How::NotFound : ProgramEnd::How::NotStarted;
      end_.code = error;
      return std::move(end_);
    }
    converse();
    if (!ended_) stop();
    return std::move(end_);
  }

 private:
  int start(const sigset_t& mask) {
    int error = in_.open(true);
    if (error == 0) error = out_.open(false);
    if (error == 0) error = errors_.open(false);
    if (error == 0) error = start_timer();
    if (error == 0) error = spawn(mask);
    in_.theirs.close();
    out_.theirs.close();
    errors_.theirs.close();
    return error;
  }

  int start_timer() {
    timer_.take(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    itimerspec limit{};
    limit.it_value.tv_sec = asked_.most_milliseconds / 1000;
    limit.it_value.tv_nsec = static_cast<long>(asked_.most_milliseconds % 1000) * 1'000'000;
    return timer_.is_open() && ::timerfd_settime(timer_.number(), 0, &limit, nullptr) == 0 ? 0 : errno;
  }

  int spawn(const sigset_t& mask) {
    std::vector<std::string> words = {asked_.program};
    words.insert(words.end(), asked_.arguments.begin(), asked_.arguments.end());
    const std::vector<char*> arguments = pointers(words), variables = environment_without(asked_.unset);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int error = posix_spawn_file_actions_adddup2(&actions, in_.theirs.number(), STDIN_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, out_.theirs.number(), STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, errors_.theirs.number(), STDERR_FILENO);
    if (error == 0 && !asked_.folder.empty()) {
      error = posix_spawn_file_actions_addchdir_np(&actions, asked_.folder.c_str());
    }
    if (error == 0) {
      error =
          ::posix_spawnp(&process_, asked_.program.c_str(), &actions, &attributes, arguments.data(), variables.data());
    }
    if (error == 0) process_end_.take(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
  }

  // Runs until the program has ended or must be stopped.
  void converse() {
    if (asked_.input.empty()) in_.ours.close();
    while (!ended_) {
      pollfd waiting[] = {{in_.ours.number(), POLLOUT, 0},
                          {out_.ours.number(), POLLIN, 0},
                          {errors_.ours.number(), POLLIN, 0},
                          {process_end_.number(), POLLIN, 0},
                          {timer_.number(), POLLIN, 0}};
      ::poll(waiting, std::size(waiting), process_end_.is_open() ? -1 : kTickMilliseconds);
      if (waiting[4].revents != 0) return give_up(ProgramEnd::How::TimedOut);
      write_input();
      const bool fits = read_some(out_.ours, end_.output, asked_.most_output);
      read_some(errors_.ours, end_.errors, kMostErrors);
      if (!fits) return give_up(ProgramEnd::How::TooMuchOutput);
      if (!process_end_.is_open() || waiting[3].revents != 0) look_for_end();
    }
  }

  void give_up(ProgramEnd::How how) {
    end_.how = how;
    end_.output.clear();
  }

  void write_input() {
    while (in_.ours.is_open() && written_ < asked_.input.size()) {
      const ssize_t count = ::write(in_.ours.number(), asked_.input.data() + written_, asked_.input.size() - written_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count < 0) break;  // the program stopped reading, which isn't an error
      written_ += static_cast<std::size_t>(count);
    }
    in_.ours.close();
  }

  // Reads the available bytes. False if there are more than `most`; the excess is dropped.
  static bool read_some(Descriptor& from, std::string& bytes, std::uint64_t most) {
    bool fits = true;
    char buffer[16 * 1024];
    while (from.is_open()) {
      const ssize_t count = ::read(from.number(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return fits;
      if (count <= 0) {
        from.close();
        return fits;
      }
      const auto size = static_cast<std::size_t>(count);
      const std::size_t room = static_cast<std::size_t>(most - std::min<std::uint64_t>(most, bytes.size()));
      bytes.append(buffer, std::min(room, size));
      fits = fits && size <= room;
      if (!fits) return false;
    }
    return fits;
  }

  // Reads the program's remaining output; doesn't wait for a child process that inherited the pipes.
  void look_for_end() {
    int status = 0;
    const pid_t found = ::waitpid(process_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return;
    ended_ = true;
    end_.how = WIFSIGNALED(status) ? ProgramEnd::How::Signalled : ProgramEnd::How::Exited;
    end_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (!read_some(out_.ours, end_.output, asked_.most_output)) give_up(ProgramEnd::How::TooMuchOutput);
    read_some(errors_.ours, end_.errors, kMostErrors);
  }

  // Kills the program and all its descendants. Stops each one before listing its children, so that it can't start more.
  void stop() {
    std::vector<pid_t> processes = {process_};
    for (std::size_t i = 0; i < processes.size(); ++i) {
      ::kill(processes[i], SIGSTOP);
      append_children(processes[i], processes);
    }
    for (const pid_t each : processes) ::kill(each, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  const ProgramRun& asked_;
  ProgramEnd end_;
  Pipe in_, out_, errors_;
  Descriptor timer_, process_end_;
  pid_t process_ = 0;
  std::size_t written_ = 0;
  bool ended_ = false;
};

}  // namespace

ProgramEnd RealPrograms::run(const ProgramRun& asked) {
  {
    const std::lock_guard guard(mutex_);
    if (hung_.contains(asked.program)) return {ProgramEnd::How::TimedOut, 0, {}, {}};
  }
  ProgramEnd end = Run(asked).run();
  if (end.how == ProgramEnd::How::TimedOut) {
    const std::lock_guard guard(mutex_);
    hung_.insert(asked.program);
  }
  return end;
}

}  // namespace capwright
