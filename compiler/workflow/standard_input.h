// Standard input, whose start can be inspected before it is read.
#pragma once
#include <cstddef>
#include <string>

#include "source/file_system.h"

namespace capwright::workflow {

// There is one per process; readers share its position.
class StandardInput {
 public:
  // Whether it has more than `size` bytes, which are buffered for later reads.
  bool is_longer_than(std::size_t size);
  // Fills the buffer as far as possible; returns 0 at the end.
  std::size_t read(char* buffer, std::size_t size);
  // The rest of the input, but at most one byte more than `most`.
  std::string read_all(std::size_t most);
  // Why the input so far is incomplete: it is closed, or a folder.
  IoError error() const { return error_; }

 private:
  std::size_t read_block(char* buffer, std::size_t size);

  std::string kept_;
  std::size_t at_ = 0;  // in `kept_`
  IoError error_;
};

StandardInput& standard_input();

}  // namespace capwright::workflow
