// A Git repository in a scratch folder, created and queried with the real `git`.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "scratch_folder.h"
#include "source/real_system.h"

namespace capwright::test {

class ScratchRepository {
 public:
  // On branch `main`, without a commit.
  ScratchRepository() {
    shell("git init -q -b main && git config user.name Team && git config user.email fleet@example.com");
  }

  const std::string& path() const { return folder_.path(); }
  // Runs a script in the folder, with fixed times and settings; it must succeed.
  std::string shell(const std::string& script) const {
    ProgramRun run;
    run.program = "sh";
    run.arguments = {"-ec",
                     "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='1700000000 +0100' "
                     "GIT_COMMITTER_DATE='1700000000 +0100'\n" +
                         script};
    run.folder = path();
    run.most_output = 1 << 26;
    run.most_milliseconds = 120'000;
    const ProgramEnd end = RealPrograms().run(run);
    INFO(script << "\n" << end.errors);
    REQUIRE(end.succeeded());
    return end.output;
  }
  // The same without the final line break: for a single word.
  std::string word(const std::string& script) const {
    std::string text = shell(script);
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  ScratchFolder folder_;
};

}  // namespace capwright::test
