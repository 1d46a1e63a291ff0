// A request to a page's API, with what its handler may use.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "portal/call.h"
#include "preview/fleet_states.h"
#include "preview/live_repository.h"

namespace capwright::preview {

using Json = nlohmann::ordered_json;

struct Call {
  const portal::Request& request;
  Repository& repository;
  FleetStates& states;

  // A parameter of the query; empty: there is none.
  std::string parameter(std::string_view name) const { return portal::query_value(request.query, name); }
};

using Handler = portal::Response (*)(const Call& call);

// A problem (RFC 9457) with the reason for the person at the page.
portal::Response refused(int status, std::string_view why);
// The cluster that the parameter `values` names. Null: `problem` is the response.
OpenCluster* cluster_of(const Call& call, portal::Response& problem);

// GET: what pages show.
portal::Response fleet(const Call& call);
portal::Response states(const Call& call);
portal::Response cluster(const Call& call);
portal::Response file(const Call& call);
portal::Response explain(const Call& call);
portal::Response object_graph(const Call& call);
portal::Response input_text(const Call& call);

// PUT, DELETE, POST: unsaved texts, and writing them.
portal::Response put_draft(const Call& call);
portal::Response put_value(const Call& call);
portal::Response remove_draft(const Call& call);
portal::Response write_draft(const Call& call);

}  // namespace capwright::preview
