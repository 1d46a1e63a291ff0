// The HTTP server in front of the portal: connections, limits and threads. Boost.Beast stays in this folder's sources.
//
// One thread reads and writes all connections, so that a slow client costs a few kilobytes and no thread; workers
// answer complete requests. TLS is the task of a reverse proxy.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "portal/service.h"

namespace capwright::server {

struct Settings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;              // 0: any free one
  unsigned workers = 0;                   // requests that are answered at the same time; 0: one per processor
  unsigned publishers = 8;                // requests that push commits: one at a time does, the others wait
  std::size_t most_connections = 512;     // the one that waits longest makes room for the next
  std::size_t most_waiting = 256;         // requests for workers; more are refused
  std::size_t most_body = 1U << 20;       // bytes
  std::size_t most_head = 16U << 10;      // bytes of a request's line and headers
  std::uint32_t most_read_seconds = 30;   // for a request, from the end of the one before it
  std::uint32_t most_write_seconds = 30;  // for a response
  std::uint32_t most_queue_seconds = 10;  // for a complete request to reach a worker
  std::uint32_t most_stop_seconds = 30;   // for the last requests after a signal
};

// Called for each response, by one thread.
using Log = std::function<void(const portal::Exchange&)>;

class Server {
 public:
  // Listens from now on. Null: it can't, and `why` has the reason. `service` outlives it.
  static std::unique_ptr<Server> open(Settings settings, portal::Service& service, Log log, std::string& why);
  virtual ~Server() = default;

  virtual std::uint16_t port() const = 0;
  // Until SIGTERM or SIGINT; then it answers the requests that have arrived, and returns.
  virtual void run() = 0;
  // Sends `text` to the clients whose response is a stream. A client that reads slowly gets the newest text only. For
  // any thread.
  virtual void stream(std::string text) = 0;
};

}  // namespace capwright::server
