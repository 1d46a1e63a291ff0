// JSON Pointers (RFC 6901) to the values of a request.
#pragma once
#include <cstdint>
#include <string>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::portal {

// The pointer to the innermost value whose key or text contains `offset`, as a URI fragment: "#/worker_pools/0/count".
// "#" for the whole document. `document` was read in the stage.
std::string pointer_at(const Value& document, std::uint32_t offset, const Stage& stage);

}  // namespace capwright::portal
