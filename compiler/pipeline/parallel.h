// Runs the same work on many items with a few threads. Results go into slots by index, so that they don't depend on
// scheduling.
#pragma once
#include <cstddef>
#include <functional>
#include <string_view>

namespace capwright {

// Shows how far long work is.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  // Work on `count` items starts: "Rendering", 1000, "clusters".
  virtual void begin(std::string_view verb, std::size_t count, std::string_view unit) = 0;
  // An item is done. Any thread may call it.
  virtual void advance() = 0;
  virtual void end() = 0;
};

// How work is shown, as in "Rendering 412/1000 clusters". Null: it isn't.
struct ShownWork {
  Progress* progress = nullptr;
  std::string_view verb = {}, unit = {};
};

// Calls `work(i)` for every i in [0, count), on at most `jobs` threads (0: one per processor). Returns after all calls.
// `work` must not throw, except for std::bad_alloc, which is rethrown here.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);
void parallel_for(std::size_t count, unsigned jobs, const ShownWork& shown,
                  const std::function<void(std::size_t)>& work);

}  // namespace capwright
