// `capwright fmt`: the canonical layout of values files and layers.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "report/diff_words.h"
#include "report/palette.h"
#include "workflow/format_files.h"

namespace capwright::cli {
namespace {

struct FmtOptions {
  CommonOptions common;
  std::vector<std::string> files;
  bool check = false;
  bool diff = false;
};

int run_fmt(const FmtOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project(
      {.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const workflow::FormattedFiles files = workflow::format_files(*open, options.files);
  const bool writes = !options.check && !options.diff;
  if (writes) {
    if (const std::string error = workflow::write_formatted(files); !error.empty()) {
      console.fail(error);
      return kUsageError;
    }
  }
  const int faults = show_faults(*open, console);
  if (options.diff) console.print(report::painted_diff(workflow::diff_of(files, *open), console.color()));
  for (const workflow::FormattedFile& file : files.changed)
    console.say(fmt::format("{} {}", writes ? "formatted" : "would format", report::printable(file.shown)));
  for (const std::string& reason : files.skipped) console.say("note: " + reason);
  console.say(fmt::format("{} {}, {} unchanged", report::counted(files.changed.size(), "file"),
                          writes ? "formatted" : "to format", files.unchanged));
  if (!console.flush()) return kUsageError;
  return std::max<int>(faults, writes || files.changed.empty() ? kClean : kFindings);
}

class FmtCommand final : public CommandWith<FmtOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("file", options_.files, "Values files and layers (default: all of the repository)")
        ->type_name("FILE");
    app.add_flag("--check", options_.check, "Write nothing; exit with 1 if a file would change");
    app.add_flag("--diff", options_.diff, "Write nothing; print the changes, and exit with 1 if there are any");
    add_common(app, options_.common);
  }
  int run() override { return run_fmt(options_); }
};

}  // namespace

const CommandInfo fmt_command{"fmt",
                              "Format values files and layers",
                              make_command<FmtCommand>,
                              {{"Format all values files and layers", "capwright fmt"},
                               {"Show what would change, and exit with 1 if anything does", "capwright fmt --diff"}}};

}  // namespace capwright::cli
