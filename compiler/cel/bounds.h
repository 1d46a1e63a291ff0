// Limits of one evaluation. The API server's costs limit neither memory nor time: a replacement can make a text a
// thousand times longer for the cost of reading it, and `==` costs as much as the shorter list, whatever its elements.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/arena.h"

namespace capwright::cel {

// Bytes that an evaluation may add to its Arena, including what a function collects on the way.
inline constexpr std::size_t kMostMemory = 64u << 20;
// Visited values: compared elements, rounds of macros, parts of texts. Takes a few seconds at most.
inline constexpr std::uint64_t kMostSteps = 50'000'000;
// Bytes of a text that are read or compared in about the time of one value.
inline constexpr std::size_t kBytesOfStep = 64;

class Bounds {
 public:
  explicit Bounds(Arena& arena) : arena_(arena), limit_(arena.bytes_reserved() + kMostMemory) {}

  Arena& arena() { return arena_; }

  // Whether `bytes` more may be allocated; call this first. Less than a block of the arena is always allowed: it may
  // fit into the reserved memory, and the evaluator checks after each call.
  bool has_room(std::size_t bytes) {
    constexpr std::size_t kOneBlock = 1u << 20;
    const std::size_t used = arena_.bytes_reserved();
    if (bytes > kOneBlock && bytes - kOneBlock > (used < limit_ ? limit_ - used : 0)) memory_is_spent_ = true;
    return !memory_is_spent_;
  }
  // Counts steps; false once a limit is exceeded, and then the caller must stop.
  bool step(std::uint64_t steps = 1) {
    steps_ += steps;
    return steps_ <= kMostSteps && !memory_is_spent();
  }

  bool memory_is_spent() const { return memory_is_spent_ || arena_.bytes_reserved() > limit_; }
  bool steps_are_spent() const { return steps_ > kMostSteps; }
  std::uint64_t steps() const { return steps_; }

 private:
  Arena& arena_;
  std::size_t limit_;
  std::uint64_t steps_ = 0;
  bool memory_is_spent_ = false;
};

}  // namespace capwright::cel
