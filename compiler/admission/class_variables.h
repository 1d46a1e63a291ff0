// The variables of a ClusterClass: their schemas must be sound, and defaults must fit them.
#pragma once
#include "admission/subject.h"

namespace capwright::admission {

void check_class_variables(Subject&);

}  // namespace capwright::admission
