// A shared counter hands out the items; the calling thread works too.
#include "pipeline/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace capwright {

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  if (jobs == 0) jobs = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t others = std::min<std::size_t>(jobs, count) - (count == 0 ? 0 : 1);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::once_flag failed;
  // Memory may run out. An exception that leaves a thread would end the process without a message.
  const auto drain = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      std::call_once(failed, [&] { failure = std::current_exception(); });
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 0; i < others; ++i) threads.emplace_back(drain);
    } catch (const std::system_error&) {
      // The system allows no more threads: the existing ones do the work.
    }
    drain();
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_for(std::size_t count, unsigned jobs, const ShownWork& shown,
                  const std::function<void(std::size_t)>& work) {
  if (shown.progress == nullptr) return parallel_for(count, jobs, work);
  shown.progress->begin(shown.verb, count, shown.unit);
  parallel_for(count, jobs, [&](std::size_t i) {
    work(i);
    shown.progress->advance();
  });
  shown.progress->end();
}

}  // namespace capwright
