// Which files of its folder a source of an Application applies.
#pragma once
#include <optional>
#include <string_view>

#include "lint/facts/applications.h"

namespace capwright::lint {

// The part of a path after the folder; absent if it is elsewhere.
std::optional<std::string_view> path_below(std::string_view path, std::string_view folder);

// Whether `directory.include` and `exclude` of the source let Argo CD read a file, a path below that of the source.
// Patterns with parameters are ignored; a file isn't read if a pattern with a class of characters may exclude it.
bool lets_in(const ChartSource& source, std::string_view file);

}  // namespace capwright::lint
