// `capwright version`: what a bug report names.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "embedded/embedded.h"

namespace capwright::cli {
namespace {

struct VersionOptions {};

int run_version(const VersionOptions&) {
  const CommonOptions common;
  Console console(common);
  return console.finish(fmt::format("capwright {}\n", embedded::version()));
}

class VersionCommand final : public CommandWith<VersionOptions> {
 public:
  void add_options(CLI::App&) override {}
  int run() override { return run_version(options_); }
};

}  // namespace

const CommandInfo version_command{
    "version", "Print the version", make_command<VersionCommand>, {{"Print the version", "capwright version"}}};

}  // namespace capwright::cli
