// `capwright version`: facts for a bug report.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "embedded/embedded.h"

namespace capwright::cli {

int run_version() {
  const CommonOptions common;
  Console console(common);
  console.print(fmt::format("capwright {}\n", embedded::version()));
  return console.flush() ? kClean : kUsageError;
}

}  // namespace capwright::cli
