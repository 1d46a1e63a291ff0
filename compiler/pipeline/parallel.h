// Runs the same work on many items with a few threads. Results go into slots by index, so that they don't depend on
// scheduling.
#pragma once
#include <cstddef>
#include <functional>

namespace capwright {

// Calls `work(i)` for every i in [0, count), on at most `jobs` threads (0: one per processor). Returns after all calls.
// `work` must not throw, except for std::bad_alloc, which is rethrown here.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace capwright
