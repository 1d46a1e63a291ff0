// What a YAML syntax error says to people. The library's own words name its state; ours name the mistake.
#pragma once
#include <cstdint>
#include <string_view>

#include "yaml/reading.h"

namespace capwright::yaml {

// Reports the fault that the library found at `offset` and described as `library_message`.
void report_syntax_fault(Reading&, std::uint32_t offset, std::string_view library_message);

}  // namespace capwright::yaml
