// Accepts connections, and stops on a signal.
#include "server/http_server.h"

#include <algorithm>
#include <boost/asio.hpp>
#include <csignal>
#include <thread>
#include <utility>

#include "server/http_connection.h"

namespace capwright::server {
namespace {

namespace net = boost::asio;
using Tcp = boost::asio::ip::tcp;
using NetError = boost::system::error_code;

constexpr auto kPause = std::chrono::milliseconds(100);  // after an error such as too many open files

class BeastServer final : public Server {
 public:
  BeastServer(const Settings& settings, portal::Service& service, Log log) : hub_(settings, service, std::move(log)) {}

  bool listen(std::string& why) {
    NetError error;
    const auto address = net::ip::make_address(hub_.settings.address, error);
    const Tcp::endpoint place(address, hub_.settings.port);
    if (!error) acceptor_.open(place.protocol(), error);
    if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(place, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    if (error) why = error.message();
    return !error;
  }

  std::uint16_t port() const override {
    NetError ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void run() override {
    signals_.async_wait([this](NetError error, int) {
      if (!error) stop();
    });
    accept();
    hub_.context.run();
    hub_.end();
  }

  void stream(std::string text) override {
    net::post(hub_.context, [this, text = std::move(text)] { hub_.stream(text); });
  }

 private:
  void accept() {
    acceptor_.async_accept([this](NetError error, Tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (!error) {
        hub_.accept(std::move(socket));
        return accept();
      }
      timer_.expires_after(kPause);
      timer_.async_wait([this](NetError stopped) {
        if (!stopped && acceptor_.is_open()) accept();
      });
    });
  }

  // A second signal ends the process.
  void stop() {
    NetError ignored;
    acceptor_.close(ignored);
    signals_.clear(ignored);
    timer_.expires_after(std::chrono::seconds(hub_.settings.most_stop_seconds));
    timer_.async_wait([this](NetError) { hub_.context.stop(); });
    hub_.stop([this] { timer_.cancel(); });
  }

  Hub hub_;
  Tcp::acceptor acceptor_{hub_.context};
  net::signal_set signals_{hub_.context, SIGINT, SIGTERM};
  net::steady_timer timer_{hub_.context};
};

}  // namespace

std::unique_ptr<Server> Server::open(Settings settings, portal::Service& service, Log log, std::string& why) {
  if (settings.workers == 0) settings.workers = std::max(1U, std::thread::hardware_concurrency());
  auto server = std::make_unique<BeastServer>(settings, service, std::move(log));
  if (!server->listen(why)) return nullptr;
  return server;
}

}  // namespace capwright::server
