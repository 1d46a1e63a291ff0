// The known secrets of one cluster, which no finding may show.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright {

struct KnownSecrets {
  std::vector<Span> places;             // of secret values in the cluster's sources, redacted when lines are shown
  std::vector<std::string_view> texts;  // of secret values, and of what templates made of them, redacted in messages
  std::vector<std::string> keys;        // words of these that messages may name: keys of the schema, public text
  bool complete = false;                // a schema marked the secrets, or there is none
};

}  // namespace capwright
