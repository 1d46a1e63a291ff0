// A request to one route, with what its handler may use.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "portal/access.h"
#include "portal/checkout.h"
#include "portal/message.h"

namespace capwright::portal {

class Publications;

struct Call {
  const Request& request;
  const Caller& caller;
  std::string_view id;  // the part of the path that the route names `{id}`; otherwise empty
  Checkout& checkout;   // for this thread alone
  Exchange& exchange;   // the handler adds the cluster
  Publications& publications;
};

// Handlers are functions of the call: its request, its caller and the files of the repository.
using Handler = Response (*)(const Call& call);

// The first value of a parameter in the query, decoded. Empty: there is none.
std::optional<std::string> find_query_value(std::string_view query, std::string_view name);
// The same, or an empty text.
std::string query_value(std::string_view query, std::string_view name);

}  // namespace capwright::portal
