// `capwright man`: manual pages, for packages and for `man -l -`.
#include <filesystem>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_tree.h"
#include "cli/console.h"
#include "cli/help_page.h"
#include "source/real_fs.h"

namespace capwright::cli {
namespace {

struct ManOptions {
  std::string folder;  // empty: the program's page goes to standard output
};

int run_man(const ManOptions& options) {
  const CommonOptions common;
  Console console(common);
  CommandTree tree;
  const std::vector<HelpPage> pages = tree.all_pages();
  if (options.folder.empty()) {
    return console.finish(as_man_page(pages.front(), pages));
  }
  RealFs fs;
  if (const IoError error = make_dirs(fs, options.folder)) {
    console.fail(fmt::format("`{}` can't be created: {}", options.folder, describe(error)));
    return kUsageError;
  }
  for (const HelpPage& page : pages) {
    const std::string path = (std::filesystem::path(options.folder) / (man_name(page) + ".1")).string();
    if (!console.save(path, as_man_page(page, pages))) return kUsageError;
  }
  console.say(fmt::format("{} manual pages written to `{}`", pages.size(), options.folder));
  return kClean;
}

class ManCommand final : public CommandWith<ManOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("folder", options_.folder, "Write all pages into this folder (default: print `capwright.1`)")
        ->type_name("DIR");
  }
  int run() override { return run_man(options_); }
};

}  // namespace

const CommandInfo man_command{"man",
                              "Print or write manual pages",
                              make_command<ManCommand>,
                              {{"Read the manual page of the program", "capwright man | man -l -"},
                               {"Write all pages, as a package does", "capwright man /usr/local/share/man/man1"}}};

}  // namespace capwright::cli
