// `capwright man`: manual pages, for packages and for `man -l -`.
#include <filesystem>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_tree.h"
#include "cli/console.h"
#include "cli/help_page.h"
#include "cli/usage_message.h"
#include "source/real_fs.h"

namespace capwright::cli {
namespace {

struct ManOptions {
  std::vector<std::string> words;  // of the page that is printed
  std::string folder;              // for all pages instead
};

int write_pages(const std::vector<HelpPage>& pages, const std::string& folder, Console& console) {
  RealFs fs;
  if (const IoError error = make_dirs(fs, folder)) {
    console.fail(fmt::format("`{}` can't be created: {}", folder, describe(error)));
    return kUsageError;
  }
  for (const HelpPage& page : pages) {
    const std::string path = (std::filesystem::path(folder) / (man_name(page) + ".1")).string();
    if (!console.save(path, as_man_page(page, pages))) return kUsageError;
  }
  console.say(fmt::format("{} manual pages written to `{}`", pages.size(), folder));
  return kClean;
}

int run_man(const ManOptions& options) {
  const CommonOptions common;
  Console console(common);
  CommandTree tree;
  CLI::App* app = tree.find(options.words);
  if (app == nullptr) {
    console.fail(unknown_word(tree, options.words));
    return kUsageError;
  }
  const HelpPage wanted = tree.page(*app);
  const std::vector<HelpPage> pages = tree.all_pages();
  if (options.folder.empty()) return console.finish(as_man_page(wanted, pages));
  return write_pages(pages, options.folder, console);
}

class ManCommand final : public CommandWith<ManOptions> {
 public:
  void add_options(CLI::App& app) override {
    CLI::Option* words = app.add_option("command", options_.words, "Command, and its subcommand (default: the program)")
                             ->type_name("COMMAND");
    app.add_option("--dir", options_.folder, "Write the pages of all commands into this folder")
        ->type_name("DIR")
        ->excludes(words);
  }
  int run() override { return run_man(options_); }
};

}  // namespace

const CommandInfo man_command{
    "man",
    "Print or write manual pages",
    make_command<ManCommand>,
    {{"Read the manual page of `render`", "capwright man render | man -l -"},
     {"Write all pages, as a package does", "capwright man --dir /usr/local/share/man/man1"}}};

}  // namespace capwright::cli
