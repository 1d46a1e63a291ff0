// Absent keys keep their defaults.
#include "audit/audit_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

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
  // A password may contain a slash that isn't escaped as %2F.
  const std::size_t colon = rest.find(':'), at = rest.rfind('@');
  return at != std::string::npos && colon < at;
}

std::string why_unsafe(std::string_view url, const std::string* password_host) {
  // libpq has parameters that read a password from one place and connect to another.
  constexpr std::string_view kHarmless[] = {"application_name", "channel_binding",      "connect_timeout",
                                            "sslmode",          "target_session_attrs", "user"};
  const std::size_t question = std::min(url.find('?'), url.size());
  for (std::string_view rest = url.substr(question); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view parameter = rest.substr(0, rest.find('&'));
    const std::string_view key = parameter.substr(0, parameter.find('='));
    const bool is_local = parameter.starts_with("host=/") || parameter.starts_with("host=%2F");
    if (!is_local && std::find(std::begin(kHarmless), std::end(kHarmless), key) == std::end(kHarmless))
      return fmt::format("its parameter `{}` could send a password to another server", key);
    rest.remove_prefix(parameter.size());
  }
  std::string_view host = url.substr(0, question);
  host.remove_prefix(host.find("://") + 3);
  host = host.substr(0, host.find('/'));
  host.remove_prefix(host.find('@') == std::string_view::npos ? 0 : host.find('@') + 1);
  host = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  if (password_host == nullptr || host.empty() || host == *password_host) return {};
  return fmt::format("`PGPASSWORD` isn't sent to `{}`, which `PGHOST` doesn't name", host);
}

}  // namespace capwright::audit
