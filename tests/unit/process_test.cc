// Programs run to their end within limits, however they use their pipes.
#include <catch2/catch.hpp>
#include <csignal>
#include <stdlib.h>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.h"
#include "source/real_system.h"

namespace capwright {
namespace {

using How = ProgramEnd::How;

ProgramRun shell(std::string script, std::string_view input = "") {
  ProgramRun run;
  run.program = "sh";
  run.arguments = {"-c", std::move(script)};
  run.input = input;
  run.most_output = 1 << 20;
  run.most_milliseconds = 20'000;
  return run;
}

TEST_CASE("a program reads its input and its output comes back") {
  const ProgramEnd end = RealPrograms().run(shell("cat; echo to-errors >&2; exit 3", "one\ntwo\n"));
  CHECK(end.how == How::Exited);
  CHECK(end.code == 3);
  CHECK(end.output == "one\ntwo\n");
  CHECK(end.errors == "to-errors\n");
  CHECK_FALSE(end.succeeded());
}

TEST_CASE("more bytes than a pipe holds are passed in both directions at once") {
  const std::string input(900'000, 'x');
  const ProgramEnd end = RealPrograms().run(shell("cat", input));
  CHECK(end.succeeded());
  CHECK(end.output == input);
}

TEST_CASE("a program that doesn't read its input doesn't kill us") {
  const std::string input(900'000, 'x');
  const ProgramEnd end = RealPrograms().run(shell("exec <&-; echo done", input));
  CHECK(end.succeeded());
  CHECK(end.output == "done\n");
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("a program that hangs ends with its children, and isn't started again") {
  const test::ScratchFolder scratch;
  ProgramRun run = shell("echo run >> log; (trap '' TERM; exec sleep 30) & echo $! > child; wait");
  run.folder = scratch.path();
  run.most_milliseconds = 500;
  RealPrograms programs;
  CHECK(programs.run(run).how == How::TimedOut);
  CHECK(programs.run(run).how == How::TimedOut);
  // An orphaned child is reaped by init, if there is one: until then it has no command line.
  const std::string left = RealPrograms()
                               .run([&] {
                                 ProgramRun look =
                                     shell("cat log; tr '\\0' ' ' < /proc/$(cat child)/cmdline 2>&- || true");
                                 look.folder = scratch.path();
                                 return look;
                               }())
                               .output;
  CHECK(left == "run\n");
}

TEST_CASE("a missing program is distinguished from one that can't be started") {
  ProgramRun run = shell("");
  run.program = "capwright-no-such-program";
  CHECK(RealPrograms().run(run).how == How::NotFound);
  run.program = "/dev/null";
  const ProgramEnd end = RealPrograms().run(run);
  CHECK(end.how == How::NotStarted);
  CHECK(describe(end, run) == "can't be started: permission denied");
}

TEST_CASE("a program that hangs is killed, with its pipes open or closed") {
  for (const char* script : {"exec sleep 600", "exec sleep 600 >&- 2>&- <&-", "while :; do :; done"}) {
    ProgramRun run = shell(script);
    run.most_milliseconds = 150;
    const ProgramEnd end = RealPrograms().run(run);
    CHECK(end.how == How::TimedOut);
    CHECK(describe(end, run) == "did not end within 0 seconds");
  }
}

TEST_CASE("a child process that keeps the pipes open is not waited for") {
  const ProgramEnd end = RealPrograms().run(shell("sleep 3 & echo done"));
  CHECK(end.succeeded());
  CHECK(end.output == "done\n");
}

TEST_CASE("a program with endless output is killed, and its errors are truncated") {
  ProgramRun run = shell("yes");
  CHECK(RealPrograms().run(run).how == How::TooMuchOutput);
  const ProgramEnd end = RealPrograms().run(shell("yes | head -c 300000 >&2; echo done"));
  CHECK(end.succeeded());
  CHECK(end.output == "done\n");
  CHECK(end.errors.size() == kMostErrors);
}

TEST_CASE("the signal that killed a program is reported") {
  const ProgramRun run = shell("kill -9 $$");
  const ProgramEnd end = RealPrograms().run(run);
  CHECK(end.how == How::Signalled);
  CHECK(describe(end, run) == "was killed by signal 9");
}

TEST_CASE("a program runs in the given directory and without the given variables") {
  const test::ScratchFolder scratch;
  ::setenv("CAPWRIGHT_TEST_VARIABLE", "here", 1);
  ProgramRun run = shell("pwd; echo ${CAPWRIGHT_TEST_VARIABLE-unset}");
  run.folder = scratch.path();
  CHECK(RealPrograms().run(run).output == scratch.path() + "\nhere\n");
  run.unset = {"CAPWRIGHT_TEST_VARIABLE"};
  CHECK(RealPrograms().run(run).output == scratch.path() + "\nunset\n");
  ::unsetenv("CAPWRIGHT_TEST_VARIABLE");
}

TEST_CASE("threads run programs concurrently, with separate pipes", "[threads]") {
  const char* script = "cat; ls /proc/self/fd | wc -l";
  const std::string alone = RealPrograms().run(shell(script)).output;
  std::vector<std::string> outputs(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      threads.emplace_back([&outputs, script, i] {
        for (int round = 0; round < 5; ++round) {
          const std::string input = std::to_string(i) + "\n";
          outputs[i] += RealPrograms().run(shell(script, input)).output;
        }
      });
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string expected;
    for (int round = 0; round < 5; ++round) expected += std::to_string(i) + "\n" + alone;
    CHECK(outputs[i] == expected);
  }
}

}  // namespace
}  // namespace capwright
