// Counts of answered requests, in the text format of Prometheus.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "portal/message.h"

namespace capwright::portal {

// For one thread.
class Metrics {
 public:
  void add(const Exchange& exchange);
  // `answering`: requests that workers are answering now.
  std::string text(unsigned answering) const;

 private:
  struct Durations {
    std::array<std::uint64_t, 12> counts{};  // by bucket; the last has no upper limit
    std::int64_t microseconds = 0;           // in all
  };

  std::map<std::tuple<std::string, std::string, int>, std::uint64_t> requests_;  // by method, route and status
  std::map<std::string, Durations> durations_;                                   // by route
  std::uint64_t request_bytes_ = 0, response_bytes_ = 0;
};

}  // namespace capwright::portal
