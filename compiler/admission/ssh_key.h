// Public keys for SSH as manifests for Azure hold them: base64 of a line of authorized_keys.
#pragma once
#include <string>
#include <string_view>

namespace capwright::admission {

// Why a text is no such key; empty when it is one.
std::string ssh_key_fault(std::string_view text);

}  // namespace capwright::admission
