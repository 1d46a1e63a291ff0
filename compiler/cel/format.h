// Kubernetes' named formats of strings, as `format.dns1123Label().validate(s)` has them.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::cel {

struct NamedFormat {
  std::string_view function;                                  // as expressions name it: `dns1123Label`
  std::string_view name;                                      // as the server shows it: `DNS1123Label`
  std::size_t regex_size;                                     // what the cost of a check counts
  std::vector<std::string> (*faults)(std::string_view text);  // none: the text is fine
};

// Null when there is no format of that name.
const NamedFormat* find_format(std::string_view function);

}  // namespace capwright::cel
