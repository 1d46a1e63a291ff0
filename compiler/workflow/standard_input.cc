// Reads standard input in blocks.
#include "workflow/standard_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace capwright::workflow {

std::size_t StandardInput::read_block(char* buffer, std::size_t size) {
  errno = 0;
  const std::size_t count = std::fread(buffer, 1, size, stdin);
  if (std::ferror(stdin) != 0 && !error_) error_ = {errno == 0 ? EIO : errno};
  return count;
}

bool StandardInput::is_longer_than(std::size_t size) {
  constexpr std::size_t kBlock = 64u << 10;
  char buffer[kBlock];
  while (kept_.size() - at_ <= size) {
    const std::size_t count = read_block(buffer, kBlock);
    if (count == 0) return false;
    if (kept_.empty() && count == kBlock) kept_.reserve(size + kBlock + 1);  // unused pages cost nothing
    kept_.append(buffer, count);
  }
  return true;
}

std::size_t StandardInput::read(char* buffer, std::size_t size) {
  if (at_ == kept_.size()) return read_block(buffer, size);
  const std::size_t count = kept_.copy(buffer, size, at_);
  at_ += count;
  if (at_ == kept_.size()) kept_ = std::string(), at_ = 0;
  return count;
}

std::string StandardInput::read_all(std::size_t most) {
  is_longer_than(most);
  std::string text = std::exchange(kept_, {});
  text.erase(0, std::exchange(at_, 0));
  text.resize(std::min(text.size(), most + 1));
  return text;
}

StandardInput& standard_input() {
  static StandardInput input;
  return input;
}

}  // namespace capwright::workflow
