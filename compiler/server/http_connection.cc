// Each step starts the next one when its operation has ended. An operation keeps the connection alive; when none is
// left, it is destroyed.
#include "server/http_connection.h"

#include <boost/core/demangle.hpp>
#include <exception>
#include <typeinfo>
#include <utility>

#include "portal/problem.h"
#include "source/real_system.h"

namespace capwright::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto kDrainTime = std::chrono::seconds(2);  // for a client to read why its request was refused

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

portal::Response answer_safely(portal::Service& service, const portal::Request& request, portal::Exchange& exchange) {
  try {
    return service.answer(request, exchange);
  } catch (const std::exception& error) {
    exchange.fault = boost::core::demangle(typeid(error).name());  // its text may hold a secret
    return problem(portal::ProblemKind::Internal, "capwright met a bug; the server's log has more");
  }
}

}  // namespace

void Hub::accept(boost::asio::ip::tcp::socket socket) {
  if (connections_ >= settings.most_connections) {
    if (waiting_.empty()) return;  // the socket closes
    waiting_.front()->close();
  }
  std::make_shared<Connection>(std::move(socket), *this)->read_head();
}

void Hub::answer(portal::Request request, portal::Exchange exchange, Answered answered) {
  if (requests_ >= settings.most_waiting + settings.workers) {
    answered(problem(portal::ProblemKind::Busy, "too many requests wait for an answer"), std::move(exchange));
    return;
  }
  ++requests_;
  const std::int64_t last = real_milliseconds() + settings.most_queue_seconds * 1000;
  boost::asio::thread_pool& pool = service_.takes_long(request) ? publishers_ : workers_;
  boost::asio::post(pool, [this, last, request = std::move(request), exchange = std::move(exchange),
                           answered = std::move(answered)]() mutable {
    portal::Response response = real_milliseconds() > last
                                    ? problem(portal::ProblemKind::Busy, "no worker was free in time")
                                    : answer_safely(service_, request, exchange);
    boost::asio::post(context, [this, response = std::move(response), exchange = std::move(exchange),
                                answered = std::move(answered)]() mutable {
      --requests_;
      answered(std::move(response), std::move(exchange));
    });
  });
}

void Hub::leave() {
  --connections_;
  if (connections_ != 0 || !emptied_) return;
  const auto emptied = std::exchange(emptied_, nullptr);
  emptied();
}

void Hub::stop(std::function<void()> emptied) {
  stops_ = true;
  emptied_ = std::move(emptied);
  for (auto place = waiting_.begin(); place != waiting_.end();) {
    Connection* const connection = *place++;  // closing takes it from the list
    if (connection->is_idle()) connection->close();
  }
  const std::list<Connection*> streams = streams_;
  for (Connection* const connection : streams) connection->close();
  if (connections_ == 0) emptied_();
}

void Hub::stream(const std::string& text) {
  for (Connection* const connection : streams_) connection->send(text);
}

Connection::Connection(boost::asio::ip::tcp::socket socket, Hub& hub) : hub_(hub), stream_(std::move(socket)) {
  hub_.enter();
  Error ignored;
  stream_.socket().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
}

Connection::~Connection() {
  stop_waiting();
  if (stream_place_) hub_.remove_stream(*stream_place_);
  hub_.leave();
}

void Connection::wait() {
  if (!place_) place_ = hub_.wait(this);
}

void Connection::stop_waiting() {
  if (place_) hub_.stop_waiting(*place_);
  place_.reset();
}

// The pending operation ends with an error.
void Connection::close() {
  stop_waiting();
  Error ignored;
  stream_.socket().close(ignored);
}

void Connection::read_head() {
  wait();
  is_idle_ = buffer_.size() == 0;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(hub_.settings.most_head));
  parser_->body_limit(hub_.settings.most_body);
  stream_.expires_after(std::chrono::seconds(hub_.settings.most_read_seconds));
  http::async_read_header(stream_, buffer_, *parser_,
                          [self = shared_from_this()](Error error, std::size_t) { self->take_head(error); });
}

portal::Request Connection::request_head() const {
  const auto& head = parser_->get();
  portal::Request request;
  request.method = text_of(head.method_string());
  const std::string target = text_of(head.target());
  const std::size_t question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string::npos) request.query = target.substr(question + 1);
  request.host = text_of(head[http::field::host]);
  request.origin = text_of(head[http::field::origin]);
  request.fetch_site = text_of(head["Sec-Fetch-Site"]);
  request.content_type = text_of(head[http::field::content_type]);
  request.authorization = text_of(head[http::field::authorization]);
  request.idempotency_key = text_of(head["Idempotency-Key"]);
  const auto find = [&](http::field field) {
    const auto found = head.find(field);
    return found != head.end() ? std::optional(text_of(found->value())) : std::nullopt;
  };
  request.if_match = find(http::field::if_match);
  request.if_none_match = find(http::field::if_none_match);
  return request;
}

// Answers a request that can't be read. Returns false for a client that is gone or too slow: nothing can be said to it.
bool Connection::refuse(Error error) {
  closes_ = true;
  if (error == http::error::body_limit || error == http::error::header_limit) {
    const bool is_body = error == http::error::body_limit;
    write(problem(portal::ProblemKind::TooLarge,
                  is_body ? "the body may have " + std::to_string(hub_.settings.most_body) + " bytes"
                          : "the head may have " + std::to_string(hub_.settings.most_head) + " bytes"));
    return true;
  }
  const bool is_malformed = error.category() == make_error_code(http::error::bad_target).category() &&
                            error != http::error::end_of_stream && error != http::error::partial_message;
  if (is_malformed) write(problem(portal::ProblemKind::MalformedRequest, error.message()));
  return is_malformed;
}

void Connection::take_head(Error error) {
  is_idle_ = false;
  began_ = real_microseconds();
  exchange_ = {};
  if (error) {
    if (!refuse(error)) close();
    return;
  }
  request_ = request_head();
  if (auto response = hub_.admit(request_, exchange_)) {
    closes_ = !parser_->is_done();  // its body isn't read
    return write(std::move(*response));
  }
  if (beast::iequals(parser_->get()[http::field::expect], "100-continue")) return allow_body();
  read_body();
}

void Connection::allow_body() {
  auto go_on = std::make_shared<http::response<http::empty_body>>(http::status::continue_, parser_->get().version());
  http::async_write(stream_, *go_on, [self = shared_from_this(), go_on](Error error, std::size_t) {
    if (error) self->close();
    else self->read_body();
  });
}

void Connection::read_body() {
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](Error error, std::size_t) { self->take_body(error); });
}

void Connection::take_body(Error error) {
  if (error) {
    if (!refuse(error)) close();
    return;
  }
  stop_waiting();
  stream_.expires_never();
  request_.body = std::move(parser_->get().body());
  exchange_.request_bytes = request_.body.size();
  hub_.answer(std::move(request_), std::move(exchange_),
              [self = shared_from_this()](portal::Response response, portal::Exchange exchange) {
                self->exchange_ = std::move(exchange);
                self->write(std::move(response));
              });
}

void Connection::write(portal::Response response) {
  wait();
  is_stream_ = response.streams && !hub_.stops();
  closes_ = closes_ || is_stream_ || hub_.stops() || !parser_->get().keep_alive();
  exchange_.status = response.status;
  exchange_.response_bytes = response.body.size();
  response_ = {static_cast<http::status>(response.status), 11};
  response_.set(http::field::content_type, response.content_type);
  response_.set(http::field::cache_control, "no-store");
  response_.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) response_.set(name, value);
  response_.keep_alive(!closes_);
  response_.body() = std::move(response.body);
  if (!is_stream_) response_.prepare_payload();  // without a length, the body ends with the connection
  stream_.expires_after(std::chrono::seconds(hub_.settings.most_write_seconds));
  http::async_write(stream_, response_,
                    [self = shared_from_this()](Error error, std::size_t) { self->end_write(error); });
}

void Connection::end_write(Error error) {
  exchange_.microseconds = real_microseconds() - began_;
  hub_.finish(exchange_);
  if (error) return close();
  if (is_stream_) return begin_stream();
  if (!closes_) return read_head();
  Error ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(kDrainTime);
  drain();
}

// Reading only shows when the client is gone.
void Connection::begin_stream() {
  stop_waiting();
  stream_.expires_never();
  if (hub_.stops()) return close();
  stream_place_ = hub_.add_stream(this);
  drain();
}

void Connection::send(const std::string& text) {
  next_ = text;
  if (sent_.empty()) send_next();
}

void Connection::send_next() {
  sent_ = std::exchange(next_, {});
  if (sent_.empty()) return;
  boost::asio::async_write(stream_, boost::asio::buffer(sent_), [self = shared_from_this()](Error error, std::size_t) {
    if (error) self->close();
    else self->send_next();
  });
}

// Closing while the client still sends would discard the response before it reads it.
void Connection::drain() {
  stream_.async_read_some(boost::asio::buffer(rest_), [self = shared_from_this()](Error error, std::size_t) {
    if (error) self->close();
    else self->drain();
  });
}

}  // namespace capwright::server
