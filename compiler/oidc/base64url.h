// Base64 for URLs without padding, as in JSON Web Tokens (RFC 7515 section 2).
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "text/base64.h"

namespace capwright::oidc {

// Empty: it has other characters, or padding.
inline std::optional<std::string> from_base64url(std::string_view text) {
  const auto is_digit = [](char c) { return kBase64Url.find(c) != std::string_view::npos; };
  if (!std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::string padded(text);
  while (padded.size() % 4 != 0) padded += '=';
  return from_base64(padded, kBase64Url);
}

}  // namespace capwright::oidc
