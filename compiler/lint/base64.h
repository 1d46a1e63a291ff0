// Base64 as manifests have it in the data of Secrets.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::lint {

// The bytes that it stands for, line breaks ignored; nothing when it is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace capwright::lint
