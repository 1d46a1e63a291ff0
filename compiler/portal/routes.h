// All routes in one table. The OpenAPI document is made from it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "portal/call.h"

namespace capwright::portal {

// Routes that need neither a token nor the repository.
enum class Page : std::uint8_t { None, Health, Metrics, OpenApi, Problem };

// Names of parameters, responses and schemas are those of schemas/portal/components.json.
struct Route {
  std::string_view method, pattern;  // "GET", "/api/v1/schemas/{id}"
  std::string_view operation;        // the name for generated clients
  std::string_view summary;
  std::string_view id = {};           // the parameter for `{id}`
  std::string_view query = {};        // the parameters of the query, with spaces between them
  std::string_view headers = {};      // the same for headers
  bool has_values = false;            // the body has the values of a cluster
  std::string_view result = {};       // the schema of the response's body
  std::optional<Action> action = {};  // empty: no token is needed
  Handler handler = nullptr;          // null: a page
  Page page = Page::None;
};

std::span<const Route> all_routes();
// Whether it pushes commits: such requests wait for each other, and for the network.
inline bool publishes(const Route& route) { return route.action == Action::Publish; }
std::string openapi_document();

// Whether the route has the path, whatever its method. `id` is the part for `{id}`.
bool has_path(const Route& route, std::string_view path, std::string_view& id);

}  // namespace capwright::portal
