// Base64 (RFC 4648): section 4, and section 5 for URLs. Decodes as Go and hence the API server do. Templates decode as
// Python does, which skips characters that aren't digits (template/builtins/extras/encode.cc).
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

// Decodes padded digits and ignores line breaks; empty if `text` isn't base64.
std::optional<std::string> from_base64(std::string_view text, std::string_view alphabet = kBase64);

// The offset of the first invalid character, counted as Go counts it; npos if `text` is base64.
std::size_t first_base64_fault(std::string_view text, std::string_view alphabet = kBase64);

}  // namespace capwright
