// Escaping for all formats in XML 1.0.
#pragma once
#include <string>
#include <string_view>

namespace capwright::report {

inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// For text and double-quoted attributes. The text must be printable: XML doesn't allow control characters.
std::string xml_escaped(std::string_view text);

}  // namespace capwright::report
