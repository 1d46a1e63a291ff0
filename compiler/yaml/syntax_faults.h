// Messages for YAML syntax errors. The library's messages describe its state; these name the mistake.
#pragma once
#include <cstdint>
#include <string_view>

#include "yaml/reading.h"

namespace capwright::yaml {

// The note for a tag such as `{{ name }}` in a position that YAML doesn't allow.
inline constexpr std::string_view kTemplateNote = "this looks like a template that isn't rendered yet";
inline constexpr std::string_view kTemplateHelp = "check the rendered output instead, such as that of `helm template`";

// Reports the error that the library found at `offset` and described as `library_message`.
void report_syntax_fault(Reading&, std::uint32_t offset, std::string_view library_message);

}  // namespace capwright::yaml
