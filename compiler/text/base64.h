// Base64 as RFC 4648 has it: section 4, and section 5 for URLs. Readers differ in what else they accept, so each
// language has its own.
#pragma once
#include <string>
#include <string_view>

namespace capwright {

inline constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Padded with `=`.
std::string to_base64(std::string_view bytes, std::string_view alphabet = kBase64);

}  // namespace capwright
