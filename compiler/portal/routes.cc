// A path has at most one parameter, a whole part of it.
#include "portal/routes.h"

#include <array>

#include "portal/handlers.h"

namespace capwright::portal {
namespace {

constexpr std::string_view kParameter = "{id}";

constexpr std::array kRoutes{
    Route{.method = "GET",
          .pattern = "/api/v1/cluster-templates",
          .operation = "templates",
          .summary = "The templates with their add-ons, and what the token allows",
          .result = "Templates",
          .action = Action::Schemas,
          .handler = templates},
    Route{.method = "POST",
          .pattern = "/api/v1/cluster-templates/{id}/render",
          .operation = "render",
          .summary = "Render a cluster",
          .id = "template",
          .query = "redact",
          .has_values = true,
          .result = "Rendered",
          .action = Action::Render,
          .handler = render},
    Route{.method = "POST",
          .pattern = "/api/v1/cluster-templates/{id}/validate",
          .operation = "validate",
          .summary = "Check the values of a cluster and the objects that they render to",
          .id = "template",
          .has_values = true,
          .result = "Validated",
          .action = Action::Validate,
          .handler = validate},
    Route{.method = "POST",
          .pattern = "/api/v1/cluster-templates/{id}/plan",
          .operation = "plan",
          .summary = "Show what a render would do to machines",
          .id = "template",
          .has_values = true,
          .result = "Plan",
          .action = Action::Plan,
          .handler = plan},
    Route{.method = "POST",
          .pattern = "/api/v1/cluster-templates/{id}/publish",
          .operation = "publish",
          .summary = "Push the values and the rendered files of a cluster as one commit",
          .id = "template",
          .query = "allow",
          .headers = "idempotency_key if_match if_none_match",
          .has_values = true,
          .result = "Published",
          .action = Action::Publish,
          .handler = publish},
    Route{.method = "GET",
          .pattern = "/api/v1/schemas/{id}",
          .operation = "values_schema",
          .summary = "The schema of the values, to build a form",
          .id = "set",
          .query = "for",
          .result = "Schema",
          .action = Action::Schemas,
          .handler = values_schema},
    Route{.method = "GET",
          .pattern = "/api/v1/clusters/addon-defaults/{id}",
          .operation = "addon_defaults",
          .summary = "The chart values of an add-on for a cluster of the repository",
          .id = "addon",
          .query = "cluster",
          .result = "AddonDefaults",
          .action = Action::Schemas,
          .handler = addon_defaults},
    Route{.method = "POST",
          .pattern = "/api/v1/clusters/addon-defaults/{id}",
          .operation = "addon_defaults_of_values",
          .summary = "The chart values of an add-on for a cluster with these values",
          .id = "addon",
          .has_values = true,
          .result = "AddonDefaults",
          .action = Action::Schemas,
          .handler = addon_defaults_of_values},
    Route{.method = "GET",
          .pattern = "/api/v1/audit",
          .operation = "audit_rows",
          .summary = "Publications, newest first",
          .query = "cluster limit",
          .result = "AuditRows",
          .action = Action::Audit,
          .handler = audit_rows},
    Route{.method = "GET",
          .pattern = "/api/v1/audit/{id}",
          .operation = "audit_row",
          .summary = "One publication with its values and files",
          .id = "row",
          .result = "AuditRow",
          .action = Action::Audit,
          .handler = audit_row},
    Route{.method = "GET",
          .pattern = "/healthz",
          .operation = "health",
          .summary = "Whether the process answers",
          .result = "Status",
          .page = Page::Health},
    Route{.method = "GET",
          .pattern = "/readyz",
          .operation = "ready",
          .summary = "Whether the repository can be used",
          .result = "Status",
          .handler = ready},
    Route{.method = "GET",
          .pattern = "/metrics",
          .operation = "metrics",
          .summary = "Counts for Prometheus",
          .result = "Metrics",
          .page = Page::Metrics},
    Route{.method = "GET",
          .pattern = "/openapi.json",
          .operation = "openapi",
          .summary = "This description of the API",
          .result = "OpenApi",
          .page = Page::OpenApi},
    Route{.method = "GET",
          .pattern = "/problems/{id}",
          .operation = "problem",
          .summary = "A kind of problem",
          .id = "problem",
          .result = "ProblemPage",
          .page = Page::Problem},
};

}  // namespace

std::span<const Route> all_routes() { return kRoutes; }

bool has_path(const Route& route, std::string_view path, std::string_view& id) {
  id = {};
  const std::size_t at = route.pattern.find(kParameter);
  if (at == std::string_view::npos) return route.pattern == path;
  const std::string_view before = route.pattern.substr(0, at), after = route.pattern.substr(at + kParameter.size());
  const bool has_room = path.size() > before.size() + after.size();
  if (!has_room || !path.starts_with(before) || !path.ends_with(after)) return false;
  id = path.substr(before.size(), path.size() - before.size() - after.size());
  return id.find('/') == std::string_view::npos;
}

}  // namespace capwright::portal
