// The handlers of the routes. routes.cc says which route has which.
#pragma once
#include "portal/call.h"

namespace capwright::portal {

// `POST /api/v1/cluster-templates/{id}/…`: the body has the values of one cluster.
Response render(const Call& call);
Response validate(const Call& call);
Response plan(const Call& call);
Response publish(const Call& call);

Response ready(const Call& call);

// The templates, and what the caller may do.
Response templates(const Call& call);
Response values_schema(const Call& call);
// Of an existing cluster, and of the values in the body.
Response addon_defaults(const Call& call);
Response addon_defaults_of_values(const Call& call);

Response audit_rows(const Call& call);
Response audit_row(const Call& call);

}  // namespace capwright::portal
