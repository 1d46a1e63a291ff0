// URI references between schemas (RFC 3986, §5): resolution, fragments, percent-encoding.
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

}  // namespace capwright::schema
