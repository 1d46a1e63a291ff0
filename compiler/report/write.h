// Reports of large fleets are written piece by piece, so that no more than one cluster's is in memory.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace capwright::report {

// Gets the pieces of a report, in order.
using Write = std::function<void(std::string_view)>;

// All pieces that `write_all` writes.
template <class WriteAll>
std::string written_by(WriteAll write_all) {
  std::string text;
  write_all(Write([&text](std::string_view piece) { text += piece; }));
  return text;
}

}  // namespace capwright::report
