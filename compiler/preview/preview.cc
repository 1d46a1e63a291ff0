// One request at a time uses the repository: they are short, and one person sends them.
#include "preview/preview.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "pages/pages.h"
#include "portal/problem.h"
#include "preview/preview_call.h"

namespace capwright::preview {
namespace {

using pages::guarded;

constexpr auto kWatchPause = std::chrono::milliseconds(300);  // between two looks at the files
constexpr std::array kAssets{
    pages::Asset{"", "compiler/preview/page/index.html"},
    pages::Asset{"base.css", "compiler/pages/page/base.css"},
    pages::Asset{"style.css", "compiler/preview/page/style.css"},
    pages::Asset{"icon.svg", "compiler/pages/page/icon.svg"},
    pages::Asset{"dom.js", "compiler/pages/page/dom.js"},
    pages::Asset{"plan.js", "compiler/pages/page/plan.js"},
    pages::Asset{"app.js", "compiler/preview/page/app.js"},
    pages::Asset{"api.js", "compiler/preview/page/api.js"},
    pages::Asset{"fleet.js", "compiler/preview/page/fleet.js"},
    pages::Asset{"cluster.js", "compiler/preview/page/cluster.js"},
    pages::Asset{"manifest.js", "compiler/preview/page/manifest.js"},
    pages::Asset{"changes.js", "compiler/preview/page/changes.js"},
    pages::Asset{"edit.js", "compiler/preview/page/edit.js"},
    pages::Asset{"graph.js", "compiler/preview/page/graph.js"},
};

struct ApiRoute {
  std::string_view method, path;
  Handler handler;
  bool changes = false;  // other pages have to load again
};
constexpr std::array kApi{
    ApiRoute{"GET", "api/fleet", fleet},
    ApiRoute{"GET", "api/states", states},
    ApiRoute{"GET", "api/cluster", cluster},
    ApiRoute{"GET", "api/file", file},
    ApiRoute{"GET", "api/explain", explain},
    ApiRoute{"GET", "api/graph", object_graph},
    ApiRoute{"GET", "api/text", input_text},
    ApiRoute{"PUT", "api/draft", put_draft, true},
    ApiRoute{"DELETE", "api/draft", remove_draft, true},
    ApiRoute{"PUT", "api/value", put_value, true},
    ApiRoute{"POST", "api/write", write_draft, true},
};
constexpr std::string_view kEvents = "api/events";

std::string event_of(std::uint64_t generation) { return fmt::format("data: {}\n\n", generation); }

}  // namespace

// Its destructor waits for the end of the thread.
class Preview::Watcher {
 public:
  explicit Watcher(std::function<void()> run) : thread_(std::move(run)) {}
  ~Watcher() { thread_.join(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  std::thread thread_;
};

Preview::Preview(workflow::RepositoryOptions repository, workflow::ValueOptions values, std::string token)
    : guard_(std::move(token)), repository_(std::move(repository), std::move(values)) {}

Preview::~Preview() { end_watch(); }

void Preview::end_watch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_all();
  watcher_.reset();
}

std::string Preview::address_on(std::uint16_t port) {
  guard_.listen_on(port);
  return guard_.address();
}

void Preview::watch(std::function<void(std::string)> publish) {
  publish_ = std::move(publish);
  watcher_ = std::make_unique<Watcher>([this] { watch_files(); });
}

void Preview::watch_files() {
  std::unique_lock lock(mutex_);
  std::optional<workflow::WatchedFiles> files;
  while (!ends_) {
    if (!files && repository_.open() != nullptr) files.emplace(repository_.root(), repository_.clusters_folder());
    ended_.wait_for(lock, kWatchPause);
    if (ends_ || !files) continue;
    lock.unlock();  // looking takes milliseconds in a large repository
    const std::vector<std::string> changed = files->changed();
    lock.lock();
    if (changed.empty()) continue;
    repository_.take_changes(changed);
    publish_(event_of(repository_.generation()));
  }
}

std::optional<portal::Response> Preview::admit(const portal::Request& head, portal::Exchange& exchange) const {
  std::string_view path;
  if (const std::string_view why = guard_.refusal(head, path); !why.empty()) return guarded(refused(403, why));
  exchange.method = head.method;
  if (const pages::Asset* asset = pages::find_asset(kAssets, path); asset != nullptr && head.method == "GET")
    return guarded(pages::asset_response(*asset));
  if (path == kEvents && head.method == "GET") return guarded({200, "text/event-stream", "retry: 1000\n\n", {}, true});
  bool is_known = path == kEvents || pages::find_asset(kAssets, path) != nullptr;
  for (const ApiRoute& route : kApi) {
    if (route.path == path && route.method == head.method) return std::nullopt;
    is_known |= route.path == path;
  }
  return guarded(is_known ? refused(405, "the resource has no such method") : refused(404, "there is no such page"));
}

portal::Response Preview::answer(const portal::Request& request, portal::Exchange&) {
  std::string_view path;
  if (const std::string_view why = guard_.refusal(request, path); !why.empty()) return guarded(refused(403, why));
  return guarded(answer_api(request, path));
}

portal::Response Preview::answer_api(const portal::Request& request, std::string_view path) {
  const std::lock_guard lock(mutex_);
  if (repository_.open() == nullptr) {
    portal::Response response = portal::json_response(
        {{"status", 500}, {"detail", "the repository can't be used"}, {"errors", repository_.faults()}});
    response.status = 500;
    return response;
  }
  for (const ApiRoute& route : kApi) {
    if (route.path != path || route.method != request.method) continue;
    portal::Response response = route.handler({request, repository_, states_});
    constexpr int kSuccess = 200;
    if (route.changes && response.status == kSuccess && publish_) publish_(event_of(repository_.generation()));
    return response;
  }
  return refused(404, "there is no such page");
}

}  // namespace capwright::preview
