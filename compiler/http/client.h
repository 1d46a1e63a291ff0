// Requests to an API by HTTP, as few as publishing needs. libcurl is behind it in the program that reads Git objects;
// tests have something else there.
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
  std::string body;             // JSON; empty: there is none
  std::string token;            // after `Authorization: token `; in no message
  std::size_t most_answer = 0;  // bytes; more ends the transfer
};

// Why there is no answer that could be read.
enum class Fault : std::uint8_t { None, UnknownHost, Refused, TimedOut, Certificate, TooLong, NoUrl, Broken };

struct Response {
  int status = 0;  // 0: there was no answer; of one that is TooLong it is known
  std::string body;
  std::string location;  // of a redirect, absolute
  Fault fault = Fault::None;
};

class Client {
 public:
  virtual ~Client() = default;
  // Within bounds of time and size. Redirects are not followed: a token is for one host.
  virtual Response send(const Request& request) = 0;
};

struct ClientSettings {
  std::int64_t most_seconds = 0;  // for one request
  std::string ca_file;            // of the authorities that are trusted; empty: those that the system trusts
};

// Only in programs that git::has_libgit2() is true of. Certificates are always checked.
std::unique_ptr<Client> real_client(ClientSettings settings);

}  // namespace capwright::http
