// Secrets in the text of values that can't be read: found by the names of their keys, line by line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright {

// Keys as schemas know them.
struct SecretNames {
  std::vector<std::string> keys;      // "client_secret": a secret themselves, at whatever depth
  std::vector<std::string> sections;  // "secrets": keys of the top that hold such keys
};

// Places in `text`, in their order, that may be a secret: what stands behind a key whose name has one of `names.keys`
// in it, with the deeper lines that follow, and behind every key of a section. `assignment`: the text is a
// `path=value`.
std::vector<Span> secret_lines(std::string_view text, FileId file, bool assignment, const SecretNames& names);

}  // namespace capwright
