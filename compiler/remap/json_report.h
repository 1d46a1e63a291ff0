// Reads reports of other programs as JSON: a member of the wrong type counts as absent.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::remap {

// A report with more findings is rejected: it would be unreadable, and a hostile one could exhaust the memory.
inline constexpr std::size_t kMostFindings = 50'000;

// Fills `json` from an object. Otherwise returns the error, for a message.
std::optional<std::string> parse_report(std::string_view text, nlohmann::json& json);

// A member; null if there is none or `json` isn't an object.
const nlohmann::json& at(const nlohmann::json& json, const char* key);
// A string, truncated for use in a message; empty for other values.
std::string text_at(const nlohmann::json& json, const char* key);
// A valid line or column number; 0 for other values.
std::uint32_t count_at(const nlohmann::json& json, const char* key);

}  // namespace capwright::remap
