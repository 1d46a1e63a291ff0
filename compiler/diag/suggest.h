// "did you mean …?": the nearest valid name.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

// The number of edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`: optimal string alignment; a
// difference in ASCII case counts as half an edit, rounded up. Bounded by the longer length; names above 100 bytes
// never match.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `name`; empty if none is near enough (a third of its length, at least one edit, and fewer
// edits than letters). Of equally near candidates the first wins.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

// "did you mean `x`?" or empty.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// "`a`, `b` or `c`"; more than `most` names are truncated to "… and 12 more".
std::string list_names(std::span<const std::string_view> names, std::size_t most = 8);

}  // namespace capwright
