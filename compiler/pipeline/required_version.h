// `required_version` of capwright.yaml: the versions of capwright that may render the repository, so that two people or
// a pipeline don't render it differently. The syntax is Terraform's.
#pragma once
#include <string_view>

#include "value/stage.h"

namespace capwright {

// Whether `program`, such as "1.2.3", meets the constraints of `written`, such as ">= 1.2, < 2". Reports an error at
// `written` if it doesn't or if a constraint is invalid.
bool meets_required_version(const Value& written, std::string_view program, Stage&);

}  // namespace capwright
