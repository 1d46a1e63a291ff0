// An error in an expression, found before it runs.
#pragma once
#include <cstdint>
#include <string>

namespace capwright::cel {

struct Issue {
  std::uint32_t begin = 0, end = 0;  // bytes of the expression
  std::string message;
  std::string help;  // the suggested fix; may be empty
};

}  // namespace capwright::cel
