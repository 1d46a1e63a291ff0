// URIs (RFC 3986): references between schemas, fragments, percent-encoding; and tokens of JSON pointers (RFC 6901).
#pragma once
#include <string>
#include <string_view>

namespace capwright::schema {

// Resolves `reference` against `base`; an empty base leaves it unchanged.
std::string resolve_uri(std::string_view base, std::string_view reference);

// The parts around the first `#`; the fragment is still percent-encoded.
struct SplitUri {
  std::string_view document;
  std::string_view fragment;
};
SplitUri split_fragment(std::string_view uri);

// Decodes `%41` to `A`; invalid escapes are kept.
std::string percent_decode(std::string_view text);
// Escapes all bytes but letters, digits and those of `plain`.
std::string percent_encode(std::string_view text, std::string_view plain);

// Decodes `~1` and `~0` in one reference token of a JSON pointer.
std::string unescape_token(std::string_view token);

}  // namespace capwright::schema
