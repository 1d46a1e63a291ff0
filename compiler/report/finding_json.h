// One finding as a JSON object, for documents that have more than findings. docs/reports.md lists its keys.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/finding.h"

namespace capwright::report {

nlohmann::ordered_json finding_json(const Finding& finding);

}  // namespace capwright::report
