// Kubernetes' named string formats, as in `format.dns1123Label().validate(s)`.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::cel {

struct NamedFormat {
  std::string_view function;                                  // the name in expressions: `dns1123Label`
  std::string_view name;                                      // the name in the server's messages: `DNS1123Label`
  std::size_t regex_size;                                     // for the cost of a check
  std::vector<std::string> (*faults)(std::string_view text);  // empty: the text is valid
};

// Null if there is no such format.
const NamedFormat* find_format(std::string_view function);

}  // namespace capwright::cel
