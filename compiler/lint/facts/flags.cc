// One lookup for three forms, so that a rule about a flag holds for every provider.
#include "lint/facts/flags.h"

namespace capwright::lint {

Flag flag_of(const Node& flags, std::string_view name) {
  if (const Node value = flags.member(name)) return {value, value.text()};
  for (const Node flag : flags.items()) {
    if (flag["name"].text() == name) return {flag["value"], flag["value"].text()};
    const std::string_view text = flag.text();
    if (text.starts_with(name) && text.substr(name.size()).starts_with('='))
      return {flag, text.substr(name.size() + 1)};
  }
  return {};
}

}  // namespace capwright::lint
