// The variables of a ClusterClass: validates their schemas, and their defaults against them.
#pragma once
#include "admission/subject.h"

namespace capwright::admission {

void check_class_variables(Subject&);

}  // namespace capwright::admission
