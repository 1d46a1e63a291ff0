// Values of the user's own templates that PyYAML, the reader of scripts and of Ansible, reads differently.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Warns of unquoted scalars below `values` that aren't secret and have no message yet.
void report_yaml11_values(const Value& values, Stage&);

}  // namespace capwright
