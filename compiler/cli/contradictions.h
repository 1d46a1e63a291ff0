// What is asked for and can't be done at once, or is half said. Empty when nothing is.
#pragma once
#include <string>

#include "cli/command_line.h"

namespace capwright::cli {

std::string contradiction(const RenderOptions& options, const PlainTemplates& plain);
std::string contradiction(const DiffOptions& options);
std::string contradiction(const PlanOptions& options);
std::string contradiction(const TestOptions& options);
std::string contradiction(const AuditOptions& options);

}  // namespace capwright::cli
