// posix_spawn, one pipe for both outputs, and one poll loop. The clock is never read.
#include "source/real_long_process.h"

#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace capwright {
namespace {

constexpr int kRenewMilliseconds = 15'000;
// The polling interval for the end of a program if the kernel can't notify us (before Linux 5.3, and in some
// sandboxes).
constexpr int kShortMilliseconds = 20;

class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number = -1) : number_(number) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { close(); }
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
  int number_;
};

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, each);
  return signals;
}

std::vector<char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));  // posix_spawn doesn't write
  all.push_back(nullptr);
  return all;
}

// Starts the program; an errno, or 0.
int spawn_session(const LongRun& asked, int output, const sigset_t& mask, pid_t& process) {
  std::vector<std::string> words = {asked.program};
  words.insert(words.end(), asked.arguments.begin(), asked.arguments.end());
  const std::vector<char*> arguments = c_strings(words), variables = c_strings(asked.environment);
  sigset_t defaults = stop_signals();
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  // The same number: this only removes O_CLOEXEC.
  if (error == 0 && asked.kept >= 0) error = posix_spawn_file_actions_adddup2(&actions, asked.kept, asked.kept);
  if (error == 0 && !asked.folder.empty()) error = posix_spawn_file_actions_addchdir_np(&actions, asked.folder.c_str());
  if (error == 0)
    error = ::posix_spawn(&process, asked.program.c_str(), &actions, &attributes, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Passes on all bytes that are available.
void pass_output(OwnedDescriptor& from, RunListener& listener) {
  char buffer[16 * 1024];
  while (from.is_open()) {
    const ssize_t count = ::read(from.number(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return from.close();
    listener.receive({buffer, static_cast<std::size_t>(count)});
  }
}

bool has_ended(pid_t process, LongEnd& end) {
  int status = 0;
  const pid_t found = ::waitpid(process, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return false;
  end.how = WIFSIGNALED(status) ? LongEnd::How::Signalled : LongEnd::How::Exited;
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

}  // namespace

RealLongPrograms::RealLongPrograms() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

RealLongPrograms::~RealLongPrograms() {
  while (take_signal() != 0) continue;  // requests that came after the end of the work
  if (signals_ >= 0) ::close(signals_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int RealLongPrograms::take_signal() {
  signalfd_siginfo info{};
  const ssize_t count = ::read(signals_, &info, sizeof info);
  return count == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
}

LongEnd RealLongPrograms::run(const LongRun& asked, RunListener& listener) {
  LongEnd end;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {LongEnd::How::NotStarted, errno, 0};
  OwnedDescriptor ours(ends[0]), theirs(ends[1]);
  ::fcntl(ours.number(), F_SETFL, O_NONBLOCK);
  pid_t process = 0;
  if (const int error = spawn_session(asked, theirs.number(), before_, process); error != 0)
    return {LongEnd::How::NotStarted, error, 0};
  theirs.close();
  const OwnedDescriptor process_end(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  while (!has_ended(process, end)) {
    pollfd waiting[] = {{ours.number(), POLLIN, 0}, {process_end.number(), POLLIN, 0}, {signals_, POLLIN, 0}};
    const int ready =
        ::poll(waiting, std::size(waiting), process_end.is_open() ? kRenewMilliseconds : kShortMilliseconds);
    pass_output(ours, listener);
    if (const int signal = take_signal(); signal != 0) {
      end.signal = signal;
      ::kill(signal == SIGINT ? -process : process, signal);
    }
    if (ready >= 0) listener.tick();
  }
  pass_output(ours, listener);
  return end;
}

int RealLongPrograms::wait(std::int64_t seconds) {
  const OwnedDescriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  itimerspec limit{};
  limit.it_value.tv_sec = seconds;
  limit.it_value.tv_nsec = seconds > 0 ? 0 : 1;
  ::timerfd_settime(timer.number(), 0, &limit, nullptr);
  while (true) {
    if (const int signal = take_signal(); signal != 0) return signal;
    pollfd waiting[] = {{timer.number(), POLLIN, 0}, {signals_, POLLIN, 0}};
    ::poll(waiting, std::size(waiting), -1);
    if (waiting[0].revents != 0) return 0;
  }
}

bool RealLongPrograms::wait_for_input(int descriptor) {
  while (true) {
    pollfd waiting[] = {{descriptor, POLLIN, 0}, {signals_, POLLIN, 0}};
    ::poll(waiting, std::size(waiting), -1);
    if (waiting[1].revents != 0) return false;
    if (waiting[0].revents != 0) return true;
  }
}

std::string RealLongPrograms::find(std::string_view name, std::string_view path) {
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(folder.size() < path.size() ? folder.size() + 1 : path.size());
    if (!folder.starts_with('/')) continue;  // a relative folder would depend on the working directory
    std::string file = std::string(folder) + "/" + std::string(name);
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace capwright
