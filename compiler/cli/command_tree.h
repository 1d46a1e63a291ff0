// All commands as a grammar of the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/help_page.h"

namespace capwright::cli {

// There are hundreds of options, so a command's options are made when it is first asked for: by parsing its name, or by
// find().
class CommandTree {
 public:
  CommandTree();
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;

  CLI::App& root() { return root_; }
  // The command that was parsed. Null if none was.
  std::unique_ptr<Command> parsed_command();
  // The (sub)command of these words; no words are the program itself. Null: there is none.
  CLI::App* find(std::span<const std::string> words);
  HelpPage page(CLI::App& app);
  // Of the program, then of each command and of its subcommands.
  std::vector<HelpPage> all_pages();

 private:
  struct Entry {
    ListedCommand listed;
    CLI::App* app;
    std::unique_ptr<Command> command;  // null: its options aren't made yet
  };

  static void expand(Entry& entry);
  Entry* entry_of(const CLI::App& app);

  CLI::App root_;
  std::vector<Entry> entries_;
};

}  // namespace capwright::cli
