// `capwright help`: the page of the program, of a command or of a subcommand.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "cli/usage_message.h"
#include "diag/suggest.h"

namespace capwright::cli {
namespace {

struct HelpWords {
  std::vector<std::string> words;
};

int run_help(const std::vector<std::string>& words) {
  CommandTree tree;
  if (CLI::App* app = tree.find(words)) return print_help(tree, *app);
  const CommonOptions common;
  Console(common).fail(unknown_word(tree, words));
  return kUsageError;
}

class HelpCommand final : public CommandWith<HelpWords> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("command", options_.words, "Command, and its subcommand (default: the list of commands)")
        ->type_name("COMMAND");
  }
  int run() override { return run_help(options_.words); }
};

}  // namespace

const CommandInfo help_command{
    "help",
    "Print help for a command",
    make_command<HelpCommand>,
    {{"List all commands", "capwright help"}, {"Print the options of `schema add`", "capwright help schema add"}}};

}  // namespace capwright::cli
