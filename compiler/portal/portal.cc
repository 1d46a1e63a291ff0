// Finds the route and the caller before anything of a request is read.
#include "portal/portal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "portal/problem.h"
#include "portal/routes.h"
#include "source/real_system.h"

namespace capwright::portal {
namespace {

// One more while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<unsigned>& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<unsigned>& count_;
};

struct Found {
  const Route* route = nullptr;
  std::string_view id;
  std::string methods;  // of all routes with the path
};

Found find_route(const Request& request) {
  Found found;
  for (const Route& route : all_routes()) {
    std::string_view id;
    if (!has_path(route, request.path, id)) continue;
    found.methods += (found.methods.empty() ? "" : ", ") + std::string(route.method);
    if (route.method == request.method) found = {&route, id, found.methods};
  }
  return found;
}

// A page of another site may send requests to this machine, by a name that resolves to it. Callers without a token
// must use a name of this machine.
bool is_local_name(std::string_view host) {
  const std::string_view name = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  return name == "localhost" || name == "[::1]" || name.starts_with("127.") || name.empty();
}

Response problem_page(std::string_view id) {
  for (const ProblemInfo& info : all_problems()) {
    if (info.id == id)
      return json_response({{"type", "/problems/" + std::string(id)}, {"title", info.title}, {"status", info.status}});
  }
  return problem(ProblemKind::NotFound, "no problem has this name");
}

}  // namespace

Response Portal::answer_page(Page page, std::string_view id) const {
  switch (page) {
    case Page::None: break;
    case Page::Health: return json_response({{"status", "ok"}});
    case Page::Metrics: return {200, "text/plain; version=0.0.4", metrics_.text(answering_)};
    case Page::OpenApi: return {200, "application/json", openapi_document()};
    case Page::Problem: return problem_page(id);
  }
  return problem(ProblemKind::NotFound, "no resource has this path");
}

std::optional<Response> Portal::admit(const Request& head, Exchange& exchange) const {
  const Found found = find_route(head);
  if (found.methods.empty()) return problem(ProblemKind::NotFound, "no resource has this path");
  if (found.route == nullptr) {
    Response response = problem(ProblemKind::MethodNotAllowed, fmt::format("the resource has {}", found.methods));
    response.headers.emplace_back("Allow", found.methods);
    return response;
  }
  const Route& route = *found.route;
  exchange.method = route.method;
  exchange.route = route.pattern;
  if (route.page != Page::None) return answer_page(route.page, found.id);
  if (!route.action) return std::nullopt;
  const Access::Found caller = access_.find(head.authorization, real_seconds(), false);
  if (caller.needs_keys) return std::nullopt;  // answer() reads them, as that may take long
  return refuse(route, head, caller, exchange);
}

std::optional<Response> Portal::refuse(const Route& route, const Request& head, const Access::Found& found,
                                       Exchange& exchange) const {
  const Caller* caller = found.caller.get();
  if (caller == nullptr) return problem(ProblemKind::Unauthorized, "send `Authorization: Bearer TOKEN`");
  exchange.caller = caller->name;
  if (access_.is_anonymous() && !is_local_name(head.host))
    return problem(ProblemKind::Forbidden, "requests without a token must name this machine, such as `localhost`");
  if (caller->may(*route.action)) return std::nullopt;
  return problem(ProblemKind::Forbidden,
                 fmt::format("token `{}` lacks the action `{}`", caller->name, action_name(*route.action)));
}

std::unique_ptr<Checkout> Portal::take_checkout() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<Checkout>(checkout_);
  auto checkout = std::move(free_.back());
  free_.pop_back();
  return checkout;
}

bool Portal::takes_long(const Request& head) const {
  const Found found = find_route(head);
  return found.route != nullptr && publishes(*found.route);
}

Response Portal::answer(const Request& request, Exchange& exchange) {
  const Counted counted(answering_);
  const Found found = find_route(request);
  const Caller stranger;  // for routes without an action
  Access::Found caller;
  if (found.route->action) {
    caller = access_.find(request.authorization, real_seconds(), true);
    if (auto refused = refuse(*found.route, request, caller, exchange)) return std::move(*refused);
  }
  std::unique_ptr<Checkout> checkout = take_checkout();
  Response response = found.route->handler(
      {request, caller.caller != nullptr ? *caller.caller : stranger, found.id, *checkout, exchange, publications_});
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(checkout));
  return response;
}

}  // namespace capwright::portal
