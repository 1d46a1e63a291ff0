// The metaschemas of the supported drafts, so that schemas may refer to them (`$ref` to the draft's URI).
#pragma once
#include <string_view>

namespace capwright::schema {

inline constexpr std::string_view kDraft2020 = "https://json-schema.org/draft/2020-12/schema";
inline constexpr std::string_view kDraft7 = "http://json-schema.org/draft-07/schema";

// JSON text; empty if `uri` (without fragment) isn't a supported metaschema.
std::string_view metaschema_text(std::string_view uri);

}  // namespace capwright::schema
