// Checks texts of other formats inside manifests: Butane configs and SSH keys.
//
// Butane is the YAML format that is translated to a node's Ignition config (coreos.github.io/butane, fcos 1.4).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::admission {

enum class Strictness : std::uint8_t {
  Fatal,  // errors for which Butane fails: text that isn't YAML, sections of the wrong type
  Any,    // also unknown keys; in sections, only their first level
};

// The error in a config; empty if there is none, as for an empty text.
std::string butane_fault(std::string_view config, Strictness);

// SSH public keys in manifests for Azure: base64 of a line of authorized_keys.

// Why a text isn't such a key; empty if it is.
std::string ssh_key_fault(std::string_view text);

}  // namespace capwright::admission
