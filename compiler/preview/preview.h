// Pages that show a repository's clusters as they would be rendered now: the routes, and the watch of its files.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "portal/service.h"
#include "preview/fleet_states.h"
#include "preview/guard.h"
#include "preview/live_repository.h"
#include "workflow/watched_files.h"

namespace capwright::preview {

class Preview final : public portal::Service {
 public:
  Preview(workflow::RepositoryOptions repository, workflow::ValueOptions values, std::string token);
  ~Preview() override;
  Preview(const Preview&) = delete;
  Preview& operator=(const Preview&) = delete;

  // The address to open, after the server has its port.
  std::string address_on(std::uint16_t port);
  // Watches the files until end_watch(); `publish` gets an event (text/event-stream) for each change.
  void watch(std::function<void(std::string)> publish);
  void end_watch();

  std::optional<portal::Response> admit(const portal::Request& head, portal::Exchange& exchange) const override;
  portal::Response answer(const portal::Request& request, portal::Exchange& exchange) override;
  void finish(const portal::Exchange&) override {}

 private:
  class Watcher;
  void watch_files();
  portal::Response answer_api(const portal::Request& request, std::string_view path);

  Guard guard_;
  std::mutex mutex_;  // guards the following members
  Repository repository_;
  FleetStates states_;
  bool ends_ = false;
  std::function<void(std::string)> publish_;
  std::condition_variable ended_;
  std::unique_ptr<Watcher> watcher_;  // null: it doesn't run
};

}  // namespace capwright::preview
