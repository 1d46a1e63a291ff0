// Labels are patterns of routes, never paths of requests, so that clients can't make up series.
#include "portal/metrics.h"

#include <algorithm>
#include <fmt/format.h>

#include "embedded/embedded.h"

namespace capwright::portal {
namespace {

// Upper limits in microseconds.
constexpr std::array<std::int64_t, 11> kBuckets{500,    1'000,   2'500,   5'000,     10'000,    25'000,
                                                50'000, 100'000, 500'000, 2'500'000, 10'000'000};
constexpr double kMicroseconds = 1e6;  // of a second

std::string header(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {0} {2}.\n# TYPE {0} {1}\n", name, type, help);
}

}  // namespace

void Metrics::add(const Exchange& exchange) {
  const std::string route = exchange.route.empty() ? "none" : exchange.route;
  ++requests_[{exchange.method.empty() ? "none" : exchange.method, route, exchange.status}];
  Durations& durations = durations_[route];
  const auto bucket = std::lower_bound(kBuckets.begin(), kBuckets.end(), exchange.microseconds);
  ++durations.counts[static_cast<std::size_t>(bucket - kBuckets.begin())];
  durations.microseconds += exchange.microseconds;
  request_bytes_ += exchange.request_bytes;
  response_bytes_ += exchange.response_bytes;
}

std::string Metrics::text(unsigned answering) const {
  std::string text = header("capwright_build_info", "gauge", "The version of capwright");
  text += fmt::format("capwright_build_info{{version=\"{}\"}} 1\n", embedded::version());
  text += header("capwright_http_requests_total", "counter", "Answered requests");
  for (const auto& [key, count] : requests_) {
    const auto& [method, route, status] = key;
    text += fmt::format("capwright_http_requests_total{{method=\"{}\",route=\"{}\",status=\"{}\"}} {}\n", method, route,
                        status, count);
  }
  const std::string_view name = "capwright_http_request_duration_seconds";
  text += header(name, "histogram", "Time from a request's head to the end of its response");
  for (const auto& [route, durations] : durations_) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < durations.counts.size(); ++i) {
      count += durations.counts[i];
      const std::string limit =
          i < kBuckets.size() ? fmt::format("{}", static_cast<double>(kBuckets[i]) / kMicroseconds) : "+Inf";
      text += fmt::format("{}_bucket{{route=\"{}\",le=\"{}\"}} {}\n", name, route, limit, count);
    }
    const double seconds = static_cast<double>(durations.microseconds) / kMicroseconds;
    text += fmt::format("{0}_sum{{route=\"{1}\"}} {2}\n{0}_count{{route=\"{1}\"}} {3}\n", name, route, seconds, count);
  }
  text += header("capwright_http_request_bytes_total", "counter", "Bytes of bodies of requests");
  text += fmt::format("capwright_http_request_bytes_total {}\n", request_bytes_);
  text += header("capwright_http_response_bytes_total", "counter", "Bytes of bodies of responses");
  text += fmt::format("capwright_http_response_bytes_total {}\n", response_bytes_);
  text += header("capwright_http_requests_answering", "gauge", "Requests that workers are answering");
  return text + fmt::format("capwright_http_requests_answering {}\n", answering);
}

}  // namespace capwright::portal
