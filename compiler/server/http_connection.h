// One client: reads a request, has it answered, writes the response, and so on. Only the thread of connections uses it.
#pragma once
#include <array>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "portal/message.h"
#include "server/http_server.h"

namespace capwright::server {

class Connection;

// What connections share.
class Hub {
 public:
  Hub(const Settings& given, portal::Service& service, Log log)
      : settings(given),
        service_(service),
        log_(std::move(log)),
        workers_(given.workers),
        publishers_(given.publishers) {}

  void accept(boost::asio::ip::tcp::socket socket);
  // Has the request answered by a worker, which then posts `answered` to the thread of connections.
  using Answered = std::function<void(portal::Response, portal::Exchange)>;
  void answer(portal::Request request, portal::Exchange exchange, Answered answered);
  std::optional<portal::Response> admit(const portal::Request& head, portal::Exchange& exchange) const {
    return service_.admit(head, exchange);
  }
  void finish(const portal::Exchange& exchange) {
    service_.finish(exchange);
    log_(exchange);
  }

  // Connections that no worker is answering, the one that waits longest first.
  std::list<Connection*>::iterator wait(Connection* connection) { return waiting_.insert(waiting_.end(), connection); }
  void stop_waiting(std::list<Connection*>::iterator place) { waiting_.erase(place); }
  void enter() { ++connections_; }
  void leave();

  // Connections whose response is a stream.
  std::list<Connection*>::iterator add_stream(Connection* connection) {
    return streams_.insert(streams_.end(), connection);
  }
  void remove_stream(std::list<Connection*>::iterator place) { streams_.erase(place); }
  void stream(const std::string& text);

  // No connection takes another request. `emptied` is called when the last one is gone, unless end() came first.
  void stop(std::function<void()> emptied);
  bool stops() const { return stops_; }
  void end() { emptied_ = nullptr; }

  const Settings settings;

 private:
  portal::Service& service_;
  Log log_;
  std::list<Connection*> waiting_, streams_;
  std::size_t connections_ = 0, requests_ = 0;
  bool stops_ = false;
  std::function<void()> emptied_;

 public:
  // The last members: their handlers own connections, which use the others.
  boost::asio::io_context context{1};

 private:
  boost::asio::thread_pool workers_, publishers_;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, Hub& hub);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read_head();
  // Whether nothing of a request has arrived.
  bool is_idle() const { return is_idle_; }
  void close();
  // Adds to a response that is a stream. While an earlier text is being sent, only the newest waits.
  void send(const std::string& text);

 private:
  using Error = boost::beast::error_code;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  void wait();
  void stop_waiting();
  void take_head(Error error);
  void allow_body();
  void read_body();
  void take_body(Error error);
  bool refuse(Error error);
  void write(portal::Response response);
  void end_write(Error error);
  void drain();
  void begin_stream();
  void send_next();
  portal::Request request_head() const;

  Hub& hub_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  portal::Request request_;
  portal::Exchange exchange_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  std::int64_t began_ = 0;  // the head was complete; microseconds
  bool is_idle_ = true, closes_ = false, is_stream_ = false;
  std::optional<std::list<Connection*>::iterator> place_;         // among those that wait
  std::array<char, 4096> rest_{};                                 // of a request that is refused
  std::optional<std::list<Connection*>::iterator> stream_place_;  // among the streams
  std::string sent_, next_;                                       // of a stream: being sent, and waiting
};

}  // namespace capwright::server
