// Growth of an Arena: blocks double up to a megabyte; a larger request gets a block of its own.
#include "base/arena.h"

namespace capwright {

void* Arena::allocate_slow(std::size_t size) {
  if (size > block_size_ / 4) {  // a separate block: the rest of the current one stays in use
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    reserved_ += size;
    return blocks_.back().get();
  }
  blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
  reserved_ += block_size_;
  next_ = blocks_.back().get();
  end_ = next_ + block_size_;
  block_size_ = std::min(block_size_ * 2, kLargestBlock);
  char* start = next_;
  next_ += size;
  return start;
}

}  // namespace capwright
