// Limits on the resources that an input can use. Each has a diagnostic of the X family that names it.
#pragma once
#include <cstdint>

namespace capwright {

struct Limits {
  std::uint32_t input_bytes = 64u << 20;   // one values, template or schema file
  std::uint32_t output_bytes = 16u << 20;  // rendered text of one cluster
  std::uint32_t string_bytes = 8u << 20;   // one string made by a template
  std::uint32_t list_items = 1u << 20;     // one list, map or range made by a template
  std::uint64_t steps = 10'000'000;        // loop rounds, calls and operations of one render
  std::uint32_t depth = 200;               // nesting of expressions, calls, includes and data
  std::uint32_t files = 1'000;             // files of one cluster
  std::uint32_t layers = 200;              // of one cluster's values, counted each time a layer is extended
  std::uint64_t arena_bytes = 256u << 20;  // memory of one cluster's values and render
  std::uint32_t aliases = 10'000;          // nodes that YAML aliases may add to one document
  std::uint32_t diagnostics = 1'000;       // kept per cluster; the rest is counted
  std::uint32_t program_seconds = 120;     // one run of another program; it may wait for a user to type a passphrase
  std::uint64_t program_output_bytes = 64u << 20;
};

}  // namespace capwright
