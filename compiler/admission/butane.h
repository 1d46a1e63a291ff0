// Butane, the YAML that becomes a node's Ignition config (coreos.github.io/butane, fcos 1.4).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::admission {

enum class Strictness : std::uint8_t {
  Fatal,  // what Butane can't translate: text that is no YAML, sections of a wrong type
  Any,    // also keys that it doesn't know; in sections, their first level alone
};

// What is wrong with a config; empty when nothing is, as for an empty text.
std::string butane_fault(std::string_view config, Strictness);

}  // namespace capwright::admission
