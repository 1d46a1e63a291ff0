// What one evaluation may take. The API server's costs bound neither: a text may be replaced by one that is a thousand
// times as long for the cost of reading it, and `==` costs what its shorter list costs, whatever lies in it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/arena.h"

namespace capwright::cel {

// What an evaluation may add to its Arena, and what a function may gather on the way there.
inline constexpr std::size_t kMostMemory = 64u << 20;
// Values that are looked at: elements that are compared, rounds of macros, parts of texts. Some seconds at most.
inline constexpr std::uint64_t kMostSteps = 50'000'000;
// What of a text is read or compared in about the time of a value.
inline constexpr std::size_t kBytesOfStep = 64;

class Bounds {
 public:
  explicit Bounds(Arena& arena) : arena_(arena), limit_(arena.bytes_reserved() + kMostMemory) {}

  Arena& arena() { return arena_; }

  // Whether so many bytes more may be gathered; asked before they are. Less than a block of the arena is never refused:
  // it may fit into what is reserved already, and the evaluator looks after each call.
  bool has_room(std::size_t bytes) {
    constexpr std::size_t kOneBlock = 1u << 20;
    const std::size_t used = arena_.bytes_reserved();
    if (bytes > kOneBlock && bytes - kOneBlock > (used < limit_ ? limit_ - used : 0)) memory_is_spent_ = true;
    return !memory_is_spent_;
  }
  // Counts; false once a bound is exceeded, and then nothing more needs to be looked at.
  bool step(std::uint64_t steps = 1) {
    steps_ += steps;
    return steps_ <= kMostSteps && !memory_is_spent();
  }

  bool memory_is_spent() const { return memory_is_spent_ || arena_.bytes_reserved() > limit_; }
  bool steps_are_spent() const { return steps_ > kMostSteps; }

 private:
  Arena& arena_;
  std::size_t limit_;
  std::uint64_t steps_ = 0;
  bool memory_is_spent_ = false;
};

}  // namespace capwright::cel
