// A command: its options, checks and run function, each in the file of its name. commands.def lists the commands.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.h"

namespace capwright::cli {

class Command {
 public:
  virtual ~Command() = default;
  // Adds its options and subcommands. Called once the user has named the command.
  virtual void add_options(CLI::App& app) = 0;
  // After parsing `words`: why the options contradict each other; otherwise empty.
  virtual std::string check(std::vector<std::string> words) = 0;
  // Returns the exit code.
  virtual int run() = 0;
};

// A command with its options as a plain struct. Members of these names have a meaning:
//   common               the options of all commands
//   plain                set if the command has add_plain_templates(app, plain_)
template <class Options>
class CommandWith : public Command {
 public:
  std::string check(std::vector<std::string> words) final {
    if constexpr (requires { options_.common; }) {
      options_.common.words = std::move(words);
      options_.common.progress = terminal_progress(options_.common);
    }
    if constexpr (requires { options_.plain; }) {
      if (!plain_.folder.empty() && plain_.main.empty())
        return "`--template-dir` needs `--main`, the template to render";
      if (plain_.is_given()) options_.plain = plain_;
    }
    return contradiction();
  }

 protected:
  virtual std::string contradiction() const { return {}; }

  Options options_;
  workflow::PlainTemplates plain_;
};

// A command line that works in a repository, and its purpose. Redirections and pipes are allowed.
struct Example {
  std::string purpose;
  std::string line;
};

struct CommandInfo {
  const char* name;
  const char* help;
  std::unique_ptr<Command> (*make)();
  std::vector<Example> examples = {};  // also those of its subcommands
};

template <class SomeCommand>
std::unique_ptr<Command> make_command() {
  return std::make_unique<SomeCommand>();
}

// The groups of `capwright --help`, in its order.
enum class CommandGroup : std::uint8_t { Render, Check, Publish, Integrate, Repository, Help };

struct ListedCommand {
  const CommandInfo* info;
  CommandGroup group;
};

// By group, then in the order of commands.def.
std::vector<ListedCommand> all_commands();

// Each is defined in the file of its command.
#define CW_COMMAND(NAME, GROUP) extern const CommandInfo NAME##_command;
#include "cli/commands.def"
#undef CW_COMMAND

}  // namespace capwright::cli
