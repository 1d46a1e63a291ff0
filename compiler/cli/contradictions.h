// Checks for options that contradict each other, or are incomplete. Returns an empty text if there are none.
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
