// HTTP requests to an API, as few as publishing needs. The program uses libcurl, tests use a fake.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace capwright::http {

struct Request {
  std::string_view method;  // "GET", "POST", "DELETE"
  std::string url;
  std::string body;             // JSON; empty: no body
  std::string token;            // sent as `Authorization: token …`; never in a message
  std::size_t most_answer = 0;  // bytes; a larger response ends the transfer
};

// Why there is no usable response.
enum class Fault : std::uint8_t { None, UnknownHost, Refused, TimedOut, Certificate, TooLong, NoUrl, Broken };

struct Response {
  int status = 0;  // 0: no response; known if the response is TooLong
  std::string body;
  std::string location;  // of a redirect, absolute
  Fault fault = Fault::None;
};

class Client {
 public:
  virtual ~Client() = default;
  // Limited in time and size. Doesn't follow redirects: a token is for one host.
  virtual Response send(const Request& request) = 0;
};

struct ClientSettings {
  std::int64_t most_seconds = 0;  // for one request
  std::string ca_file;            // of the trusted authorities; empty: those that libcurl knows
};

// Always verifies certificates.
std::unique_ptr<Client> real_client(ClientSettings settings);

}  // namespace capwright::http
