// Starts the shell in a fixed environment, so that a transcript is the same on every machine.
#include "support/transcript.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>
#include <sys/wait.h>
#include <vector>

namespace capwright::spec {
namespace {
namespace fs = std::filesystem;

struct Command {
  std::string line;
  std::string expected;  // with a line break at the end, unless empty
};

std::vector<Command> commands_of(const Block& block) {
  std::vector<Command> commands;
  std::size_t begin = 0;
  while (begin < block.text.size()) {
    const std::size_t end = block.text.find('\n', begin);
    const std::string line = block.text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("$ ")) commands.push_back({line.substr(2), ""});
    else if (!commands.empty() && line.starts_with("> ")) commands.back().line += "\n" + line.substr(2);
    else if (!commands.empty()) commands.back().expected += line + "\n";
  }
  return commands;
}

// Whether `actual` equals `expected`, where a line `...` matches any number of lines.
bool matches(std::string_view expected, std::string_view actual) {
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    return line;
  };
  while (!expected.empty()) {
    const std::string_view line = take_line(expected);
    if (line == "...\n") {
      for (;; take_line(actual)) {
        if (matches(expected, actual)) return true;
        if (actual.empty()) return false;
      }
    }
    if (actual.empty() || take_line(actual) != line) return false;
  }
  return actual.empty();
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "capwright-spec-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      std::perror("mkdtemp");
      std::exit(2);
    }
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string run(const std::string& command, const fs::path& folder, const fs::path& bin) {
  const fs::path script = bin / "command.sh";
  std::ofstream(script) << "cd '" << folder.string() << "' && { " << command << "\n} 2>&1\n";
  const char* project = std::getenv("CAPWRIGHT_PROJECT");
  const std::string line = "env -i PROJECT='" + std::string(project == nullptr ? "" : project) + "' PATH='" +
                           bin.string() + "':/usr/local/bin:/usr/bin:/bin HOME='" + folder.string() +
                           "' LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1 sh '" + script.string() + "' </dev/null";
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return "(the shell can't be started)\n";
  std::string output;
  for (char buffer[4096]; const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe);)
    output.append(buffer, got);
  const int status = ::pclose(pipe);
  if (!output.empty() && output.back() != '\n') output += "\n(no line break at the end)\n";
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) output += "[" + std::to_string(WEXITSTATUS(status)) + "]\n";
  if (WIFSIGNALED(status)) output += "[signal " + std::to_string(WTERMSIG(status)) + "]\n";
  return output;
}

}  // namespace

std::optional<std::string> run_transcript(const Case& test, const Block& block, const std::string& program) {
  const ScratchFolder scratch;
  const fs::path bin = scratch.path() / "bin", work = scratch.path() / "work";
  fs::create_directories(bin);
  fs::create_directories(work);
  fs::create_symlink(fs::absolute(program), bin / "capwright");
  fs::create_symlink(fs::absolute(program + "-dev"), bin / "capwright-dev");
  for (const Block* file : test.files()) {
    fs::create_directories((work / file->info).parent_path());
    std::ofstream(work / file->info, std::ios::binary) << file->text;
  }
  std::string log;
  bool same = true;
  for (const Command& command : commands_of(block)) {
    const std::string output = run(command.line, work, bin);
    const bool as_written = matches(command.expected, output);
    same = same && as_written;
    log += "$ " + command.line + "\n" + (as_written ? command.expected : output);
  }
  if (same) return std::nullopt;
  return log;
}

}  // namespace capwright::spec
