// Texts of numbers, strings and bytes as Go writes and reads them, which is what the API server shows and accepts.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cel {

// `%g`: the shortest digits that read back the same; an exponent below 1e-4 and from 1e6 on (`1e+06`), `+Inf`, `NaN`.
std::string double_text(double);
// What strconv.ParseFloat reads: decimal or hexadecimal, `inf`, `nan`; nothing out of range.
std::optional<double> parse_double(std::string_view text);

// `%q`: in double quotes, with Go's escapes; what is not printable as \x, \u or \U.
std::string quoted(std::string_view text);

}  // namespace capwright::cel
