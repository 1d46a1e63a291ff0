// `audit:` of capwright.yaml.
#pragma once
#include <string>
#include <string_view>

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

// Why a URL that a proposed change may have written must not be opened: it could have a password sent to another server
// than the one that the password is for. `password_host`: of PGPASSWORD, which says for no host that it is for it;
// null: there is no such variable. Empty: it may be opened.
std::string why_unsafe(std::string_view url, const std::string* password_host);

}  // namespace capwright::audit
