// Names become parts of paths, so they are checked before anything is opened.
#include "deploy/deploy_settings.h"

#include <algorithm>

#include "base/ascii.h"
#include "diag/catalog/deploy.h"

namespace capwright::deploy {

bool is_name(std::string_view text) {
  constexpr std::size_t kLongest = 63;  // a DNS label
  const auto is_letter_or_digit = [](char c) { return is_letter(c) || is_digit(c); };
  return !text.empty() && text.size() <= kLongest && is_letter_or_digit(text.front()) &&
         text.find("..") == std::string_view::npos && std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

bool read_target(std::string_view text, Target& target, Sink& sink) {
  const std::size_t slash = text.find('/');
  const bool has_organization = slash != std::string_view::npos;
  const std::string_view organization = has_organization ? text.substr(0, slash) : std::string_view();
  const std::string_view name = has_organization ? text.substr(slash + 1) : text;
  target = {std::string(organization), std::string(name)};
  if (is_name(name) && (!has_organization || is_name(organization))) return true;
  sink.report(diag::bad_deployment_name, Span(), std::string(text))
      .advise("give the name of a cluster such as `prod-a`, or of an organization and a cluster such as `acme/prod-a`");
  return false;
}

}  // namespace capwright::deploy
