// Routes are in routes.cc, schemas in schemas/portal/components.json.

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/embedded.h"
#include "facts/built_in.h"
#include "portal/problem.h"
#include "portal/routes.h"

namespace capwright::portal {
namespace {

using ApiJson = nlohmann::ordered_json;

constexpr const char* kComponents = "schemas/portal/components.json";

ApiJson reference(std::string_view kind, std::string_view name) {
  return {{"$ref", fmt::format("#/components/{}/{}", kind, name)}};
}

ApiJson parameters_of(const Route& route) {
  ApiJson parameters = ApiJson::array();
  if (!route.id.empty()) parameters.push_back(reference("parameters", route.id));
  for (std::string_view rest : {route.query, route.headers}) {
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      parameters.push_back(reference("parameters", name));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
  }
  return parameters;
}

std::string_view media_type_of(std::string_view result) {
  if (result == "Metrics") return "text/plain";
  return result == "Schema" ? "application/schema+json" : "application/json";
}

// Every problem that the route can answer with.
bool may_have(const Route& route, ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Unauthorized:
    case ProblemKind::Forbidden:
    case ProblemKind::Repository: return route.action.has_value();
    case ProblemKind::Busy:
    case ProblemKind::NotReady: return route.handler != nullptr;
    case ProblemKind::NotFound: return !route.id.empty();
    case ProblemKind::InvalidValues:
    case ProblemKind::MalformedValues:
    case ProblemKind::UnsupportedMediaType: return route.has_values;
    case ProblemKind::RequestInProgress:
    case ProblemKind::Conflict:
    case ProblemKind::ConsentRequired:
    case ProblemKind::ProtectedBranch:
    case ProblemKind::PreconditionFailed:
    case ProblemKind::LintErrors:
    case ProblemKind::LimitExceeded:
    case ProblemKind::KeyReused:
    case ProblemKind::Remote:
    case ProblemKind::Locked: return publishes(route);
    case ProblemKind::MalformedRequest:
    case ProblemKind::TooLarge:
    case ProblemKind::MethodNotAllowed:
    case ProblemKind::Internal: return true;
  }
  return true;
}

ApiJson responses_of(const Route& route) {
  ApiJson responses = {
      {"200",
       {{"description", route.summary},
        {"content", {{media_type_of(route.result), {{"schema", reference("schemas", route.result)}}}}}}}};
  for (const ProblemInfo& info : all_problems()) {
    if (may_have(route, info.kind)) responses[std::to_string(info.status)] = reference("responses", "Problem");
  }
  return responses;
}

ApiJson operation_of(const Route& route) {
  ApiJson operation = {{"operationId", route.operation}, {"summary", route.summary}};
  if (route.action) {
    operation["description"] = fmt::format("Needs a token with the action `{}`.", action_name(*route.action));
    operation["security"] = ApiJson::array({ApiJson{{"token", ApiJson::array()}}});
  }
  if (ApiJson parameters = parameters_of(route); !parameters.empty()) operation["parameters"] = std::move(parameters);
  if (route.has_values) {
    const ApiJson schema = {{"schema", reference("schemas", "Values")}};
    operation["requestBody"] = {{"required", true},
                                {"content", {{"application/json", schema}, {"application/yaml", schema}}}};
  }
  operation["responses"] = responses_of(route);
  return operation;
}

}  // namespace

std::string openapi_document() {
  ApiJson paths = ApiJson::object();
  for (const Route& route : all_routes()) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    paths[std::string(route.pattern)][method] = operation_of(route);
  }
  const ApiJson document = {{"openapi", "3.1.0"},
                            {"info",
                             {{"title", "capwright"},
                              {"version", embedded::version()},
                              {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
                            {"paths", std::move(paths)},
                            {"components", ApiJson::parse(built_in_text(kComponents))}};
  return document.dump(2) + "\n";
}

}  // namespace capwright::portal
