// What all forms in XML 1.0 share.
#pragma once
#include <string>
#include <string_view>

namespace capwright::report {

inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// For text and attributes in double quotes. Control characters, which XML can't have, are not in printable text.
std::string xml_escaped(std::string_view text);

}  // namespace capwright::report
