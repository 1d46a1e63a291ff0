// Options of `capwright rules`, and its subcommand.
#pragma once
#include <string>
#include <vector>

#include "cli/common_options.h"

namespace capwright::cli {

struct RulesOptions {
  CommonOptions common;
  bool test = false;               // `rules test`
  std::vector<std::string> files;  // files of rules; empty: those of the configuration
};

int run_rules_test(const RulesOptions&);

}  // namespace capwright::cli
