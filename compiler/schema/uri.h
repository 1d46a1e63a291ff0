// URI references as schemas name each other with them (RFC 3986, §5): resolution, fragments, percent-encoding.
#pragma once
#include <string>
#include <string_view>

namespace capwright::schema {

// `reference` seen from `base`; an empty base leaves it as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

// The parts around the first `#`; the fragment is still percent-encoded.
struct SplitUri {
  std::string_view document;
  std::string_view fragment;
};
SplitUri split_fragment(std::string_view uri);

// `%41` becomes `A`; what is no escape stays.
std::string percent_decode(std::string_view text);

}  // namespace capwright::schema
