// Finds secrets in the text of unreadable values by the names of their keys, line by line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright {

// Keys that schemas mark.
struct SecretNames {
  std::vector<std::string> keys;      // "client_secret": secret themselves, at any depth
  std::vector<std::string> sections;  // "secrets": top-level keys that contain secret keys
};

// Possible secrets in `text`, in order: the text after a key whose name contains one of `names.keys`, with the deeper
// lines that follow, and after every key of a section. `assignment`: the text is a `path=value`.
std::vector<Span> secret_lines(std::string_view text, FileId file, bool assignment, const SecretNames& names);

// For values that can't be read, so that no schema could mark their secrets: treats as secret every text after a key
// that any template set marks as secret, or below a section with such keys. Also for manifests among the sources.
std::vector<Span> unread_secrets(const SourceSet& sources, const SecretNames& names);

}  // namespace capwright
