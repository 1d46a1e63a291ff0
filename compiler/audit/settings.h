// `audit:` of capwright.yaml.
#pragma once
#include <string>

#include "value/value.h"

namespace capwright::audit {

struct Settings {
  std::string database;      // a URL, or a path from the repository's root; empty: `.git/capwright/audit.db`
  bool store_files = false;  // the texts of files, too
};

// Of a document that the schema has accepted.
Settings read_settings(const Value& document);

// Whether a password stands in it, which would be one for everybody who can read the file.
bool has_password(const std::string& place);

}  // namespace capwright::audit
