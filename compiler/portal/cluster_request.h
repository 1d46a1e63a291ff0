// The common start of requests with the values of one cluster: checks the body, the template and the token's scope.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "portal/request_values.h"

namespace capwright::portal {

struct ClusterRequest {
  RequestValues values;
  ValuesFile file;
  std::string cluster;             // empty: the body isn't a map, which rendering reports
  std::string set;                 // the template set of the path; empty: the path names none
  workflow::OpenProject* project;  // of the call's checkout, opened for the purpose
};

// Null: `refused` is the response. `has_template`: the path names a template.
std::unique_ptr<ClusterRequest> cluster_request(const Call& call, Purpose purpose, bool has_template,
                                                Response& refused);

// The response for a cluster that can't be rendered, or whose values belong to another template or cluster. Empty:
// neither.
std::optional<Response> refusal(const ClusterRequest& request, const CompiledCluster& compiled);

// The same for a cluster that other values than those of the request name. Empty: the request names it.
std::optional<Response> wrong_name(const ClusterRequest& request, std::string_view name);

// The template of a repository that renders templates of its own, in paths.
inline constexpr std::string_view kOwnTemplates = "own";

// The keys that a request of the caller can't set, as JSON Pointers: "#/secrets/sops".
std::vector<std::string> refused_keys(const Project& project, const Caller& caller);

// The response for a repository that can't be used.
Response repository_problem(const report::Findings& faults);

}  // namespace capwright::portal
