// Reports of other programs as JSON: whatever has another type than it should is as good as absent.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::remap {

// A report of more findings is refused: nobody reads them, and a hostile one shall not fill the memory.
inline constexpr std::size_t kMostFindings = 50'000;

// Fills `json` from an object. What is wrong with it otherwise, said to people.
std::optional<std::string> parse_report(std::string_view text, nlohmann::json& json);

// A member; a null when there is none or `json` is no object.
const nlohmann::json& at(const nlohmann::json& json, const char* key);
// A string, cut to a length that a message may have; empty when it is none.
std::string text_at(const nlohmann::json& json, const char* key);
// A number that can count lines; 0 when it is none.
std::uint32_t count_at(const nlohmann::json& json, const char* key);

}  // namespace capwright::remap
