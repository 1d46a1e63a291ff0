// `required_version` of capwright.yaml: the versions of capwright that may work on the repository, as Terraform's
// setting of that name.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/config.h"

namespace capwright {

// The first constraint of a list such as `>= 0.9, < 2` that the version doesn't satisfy. Empty: it satisfies all of
// them, or the text isn't such a list.
std::optional<std::string> unsatisfied_constraint(std::string_view constraints, std::string_view version, Arena&);

// Reports the program that runs if it isn't one of the required versions.
bool check_required_version(const Value& configuration, Stage&);

// As read_config(), for a commit to compare with: it may require an earlier version.
Config read_earlier_config(FileSystem&, const Workspace&, const std::string& shown, Stage&);

}  // namespace capwright
