// Rows of the audit as JSON objects; docs/audit.md lists their keys.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "audit/row.h"

namespace capwright::audit {

// Without values and files.
nlohmann::ordered_json row_json(const ClusterRender& render);
nlohmann::ordered_json whole_row_json(const ClusterRender& render);

}  // namespace capwright::audit
