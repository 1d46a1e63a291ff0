// Every diagnostic of the stages. Codes, messages and the pages of `capwright explain CODE` are in catalog/*.def, one
// file per family, to keep all messages of a stage consistent. This header declares only names and argument types; the
// build generates them from these files, so a change of a text recompiles catalog.cc and nothing else.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "diag/diag.h"

namespace capwright::diag {

#include "diag/catalog_names.inc"

// All diagnostics, sorted by code.
std::span<const DiagInfo* const> all();

// By code ("T012") or name ("undefined-variable"); null if there is none.
const DiagInfo* find(std::string_view code_or_name);

}  // namespace capwright::diag
