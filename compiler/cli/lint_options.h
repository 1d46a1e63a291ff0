// Options of `capwright lint`.
#pragma once
#include "cli/common_options.h"
#include "diag/diag.h"

namespace capwright::cli {

struct LintOptions : workflow::LintRequest {
  CommonOptions common;
  Severity fail_level = Severity::Warning;
  bool exit_zero = false, statistics = false;
};

}  // namespace capwright::cli
