// Running the same work on many items with a few threads. Results go into slots by index, so that nothing depends on
// which thread did what, or when.
#pragma once
#include <cstddef>
#include <functional>

namespace capwright {

// Calls `work(i)` for every i in [0, count), on at most `jobs` threads (0: as many as there are processors). Returns
// when all calls have returned. `work` is ours and doesn't throw; when memory runs out in one, that is thrown on here.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace capwright
