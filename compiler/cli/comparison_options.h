// Options of the commands that compare two sides.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/common_options.h"
#include "workflow/planned_fleet.h"

namespace capwright::cli {

struct ComparisonOptions : workflow::ComparisonRequest {
  CommonOptions common;    // its format is the result's
  std::size_t budget = 0;  // maximum bytes of Markdown; 0: unlimited
};

// What is compared.
void add_sides(CLI::App& app, ComparisonOptions& options, workflow::PlainTemplates& plain,
               std::vector<std::string> forms);
void add_budget(CLI::App& app, std::size_t& budget);
// What must not happen to machines.
void add_gate(CLI::App& app, workflow::GateOptions& gate);

// Why the options contradict each other; otherwise empty.
std::string contradiction_of_sides(const ComparisonOptions& options);

}  // namespace capwright::cli
