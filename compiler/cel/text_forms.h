// Formats and parses numbers, strings and bytes as Go does, and hence the API server.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cel {

// `%g`: the shortest digits that parse back to the same value; with an exponent below 1e-4 and from 1e6 on (`1e+06`),
// `+Inf`, `NaN`.
std::string double_text(double);
// The values of strconv.ParseFloat: decimal or hexadecimal, `inf`, `nan`; empty out of range.
std::optional<double> parse_double(std::string_view text);

// `%q`: in double quotes, with Go's escapes; unprintable characters as \x, \u or \U.
std::string quoted(std::string_view text);

}  // namespace capwright::cel
