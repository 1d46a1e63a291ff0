// Base64 as RFC 4648 has it: section 4, and section 5 for URLs. It is read as Go reads it, and hence the API server;
// the language of templates reads it as Python does, which skips what is no digit (template/builtins/extras/encode.cc).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace capwright {

inline constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Padded with `=`.
std::string to_base64(std::string_view bytes, std::string_view alphabet = kBase64);

// The bytes that padded digits stand for, line breaks ignored; nothing when it is none.
std::optional<std::string> from_base64(std::string_view text, std::string_view alphabet = kBase64);

// The offset where text stops being base64, as Go counts it; npos when it is.
std::size_t first_base64_fault(std::string_view text, std::string_view alphabet = kBase64);

}  // namespace capwright
