// What is asked for and can't be done at once, or is half said. Empty when nothing is.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace capwright::cli {

std::string contradiction(const RenderOptions& options, const PlainTemplates& plain);
std::string contradiction(const DiffOptions& options);
std::string contradiction(const PlanOptions& options);
std::string contradiction(const TestOptions& options);
std::string contradiction(const AuditOptions& options);
std::string contradiction(const RulesOptions& options);
std::string contradiction(const GraphOptions& options);
std::string contradiction(const CatalogueListOptions& options);
std::string contradiction(const LeftoversOptions& options);
// `--stdin-filename` without `-`.
std::string contradiction(const std::vector<std::string>& targets, const std::optional<std::string>& stdin_filename);

}  // namespace capwright::cli
