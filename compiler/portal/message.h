// A request and a response of the portal's API as data, whatever carries them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace capwright::portal {

struct Request {
  std::string method;                                  // "POST"
  std::string path;                                    // "/api/v1/audit", as sent
  std::string query;                                   // "cluster=edge-2", without the `?`
  std::string host;                                    // the header
  std::string origin;                                  // the header
  std::string fetch_site;                              // the header `Sec-Fetch-Site`, of browsers
  std::string content_type;                            // the header
  std::string authorization;                           // the header
  std::string idempotency_key;                         // the header
  std::optional<std::string> if_match, if_none_match;  // the headers; empty: there is none
  std::string body;                                    // empty until the head is accepted
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool streams = false;  // the body begins a stream that stays open: Server::stream() adds to it
};

// One answered request, for logs and metrics. No text comes from the request but for names that were checked.
struct Exchange {
  std::string method, route;  // the pattern of the route, "/api/v1/schemas/{id}"; empty: there is none
  std::string caller;         // the name of the token; empty: none
  std::string cluster;        // its name, if the values have a valid one
  std::string fault;          // the type of an exception that nothing handled, a bug; empty: none
  int status = 0;
  std::size_t request_bytes = 0, response_bytes = 0;
  std::int64_t microseconds = 0;  // from the complete head of the request to the complete response
};

}  // namespace capwright::portal
