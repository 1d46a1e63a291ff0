// Runs a program and prints what it cost: user and system CPU seconds, wall seconds, most memory in MB.
//   launch PROGRAM [ARGUMENT...]     its standard output is dropped
// Small on purpose: a process begins with the memory of the one that starts it, and Python's would hide ours.
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main(int, char** argv) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const double start = now();
  pid_t child = 0;
  if (posix_spawnp(&child, argv[1], &actions, nullptr, argv + 1, environ) != 0) return 127;
  int status = 0;
  rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) return 127;
  const double wall = now() - start;
  std::printf("%.6f %.6f %.6f %.1f\n", seconds(usage.ru_utime), seconds(usage.ru_stime), wall,
              static_cast<double>(usage.ru_maxrss) / 1024);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
