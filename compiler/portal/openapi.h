// The OpenAPI 3.1 document of the API, made from the table of routes.
#pragma once
#include <string>

namespace capwright::portal {

std::string openapi_document();

}  // namespace capwright::portal
