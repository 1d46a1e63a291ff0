// What an HTTP server carries: from requests to responses, as data.
#pragma once
#include <optional>

#include "portal/message.h"

namespace capwright::portal {

class Service {
 public:
  virtual ~Service() = default;

  // Of a request without its body, for the thread of connections. The response if it needs no body: errors, health.
  // Empty: read the body and call answer().
  virtual std::optional<Response> admit(const Request& head, Exchange& exchange) const = 0;
  // Whether answer() may take long, so that it mustn't use a worker.
  virtual bool takes_long(const Request&) const { return false; }
  // `request` was admitted. Several threads call it.
  virtual Response answer(const Request& request, Exchange& exchange) = 0;
  // A response was sent. For the thread that calls admit().
  virtual void finish(const Exchange& exchange) = 0;
};

}  // namespace capwright::portal
