// Absent keys keep their defaults.
#include "audit/settings.h"

namespace capwright::audit {

Settings read_settings(const Value& document) {
  Settings settings;
  const Value* section = document.is(Kind::Map) ? document.find("audit") : nullptr;
  if (section == nullptr || !section->is(Kind::Map)) return settings;
  if (const Value* database = section->find("database")) settings.database = database->text();
  if (const Value* store = section->find("store_files")) settings.store_files = store->as_bool();
  return settings;
}

bool has_password(const std::string& place) {
  if (place.find("password=") != std::string::npos) return true;
  const std::size_t scheme = place.find("://");
  if (scheme == std::string::npos) return false;
  const std::string rest = place.substr(scheme + 3, place.find('?', scheme) - scheme - 3);
  // A password may have a slash that nobody wrote as %2F.
  const std::size_t colon = rest.find(':'), at = rest.rfind('@');
  return at != std::string::npos && colon < at;
}

}  // namespace capwright::audit
