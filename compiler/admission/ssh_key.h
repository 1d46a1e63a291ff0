// SSH public keys in manifests for Azure: base64 of a line of authorized_keys.
#pragma once
#include <string>
#include <string_view>

namespace capwright::admission {

// Why a text isn't such a key; empty if it is.
std::string ssh_key_fault(std::string_view text);

}  // namespace capwright::admission
