// Lines in messages.
#pragma once
#include <string>

#include "source/source.h"

namespace capwright {

// "line 5" or "lines 5 to 9" of the file of `span`, without blank lines at its end.
std::string lines_of(const SourceSet& sources, Span span);

}  // namespace capwright
