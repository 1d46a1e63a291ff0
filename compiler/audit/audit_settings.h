// `audit:` of capwright.yaml.
#pragma once
#include <string>
#include <string_view>

#include "value/value.h"

namespace capwright::audit {

struct Settings {
  std::string database;      // a URL, or a path relative to the repository's root; empty: `.git/capwright/audit.db`
  bool store_files = false;  // also store the texts of files
};

// From a document that the schema has accepted.
Settings read_settings(const Value& document);

// Whether it contains a password, which every reader of the file could see.
bool has_password(const std::string& place);

// Why a URL from a proposed change must not be opened: it could send a password to another server than the one it is
// for. `password_host`: PGHOST, the server that PGPASSWORD is for; null: PGPASSWORD isn't set. Empty: the URL is safe.
std::string why_unsafe(std::string_view url, const std::string* password_host);

}  // namespace capwright::audit
