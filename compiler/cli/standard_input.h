// Standard input, whose beginning can be looked at before somebody reads it.
#pragma once
#include <cstddef>
#include <string>

#include "source/file_system.h"

namespace capwright::cli {

// The process has one; what one reader takes the next one doesn't see.
class StandardInput {
 public:
  // Whether there are more than `size` bytes. They are kept until they are read.
  bool is_longer_than(std::size_t size);
  // Fills the buffer as far as there is something; 0 at the end.
  std::size_t read(char* buffer, std::size_t size);
  // All that is left, but at most one byte more than `most`.
  std::string read_all(std::size_t most);
  // Why what was read so far is not all: it is closed, or a folder.
  IoError error() const { return error_; }

 private:
  std::size_t read_block(char* buffer, std::size_t size);

  std::string kept_;
  std::size_t at_ = 0;  // in `kept_`
  IoError error_;
};

StandardInput& standard_input();

}  // namespace capwright::cli
