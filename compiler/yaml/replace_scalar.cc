// Compares the source with the value, because its span may also cover an alias or several lines.
#include "yaml/replace_scalar.h"

#include <fmt/format.h>
#include <string>

#include "yaml/read.h"
#include "yaml/scalar_text.h"

namespace capwright {
namespace {

std::string in_quotes(std::string_view text, char quote) { return fmt::format("{0}{1}{0}", quote, text); }

bool is_plain_text(std::string_view text) {
  return yaml::shape_of(text, true).plain_in_flow && resolve_plain(text, ScalarRules::Core).is(Kind::String) &&
         resolve_plain(text, ScalarRules::Kubernetes).is(Kind::String);
}

}  // namespace

std::optional<Edit> replace_scalar(const Value& value, std::string_view text, const Stage& stage) {
  const Origin& origin = stage.origins[value.origin()];
  const bool fits = text.find_first_of("'\"\\\n") == std::string_view::npos;
  if (!value.is(Kind::String) || value.tainted() || origin.kind != Origin::Kind::Input || !fits) return std::nullopt;
  const std::string_view source = stage.sources.text(origin.span);
  if (source == value.text()) return Edit{origin.span, is_plain_text(text) ? std::string(text) : in_quotes(text, '"')};
  for (const char quote : {'"', '\''}) {
    if (source == in_quotes(value.text(), quote)) return Edit{origin.span, in_quotes(text, quote)};
  }
  return std::nullopt;
}

}  // namespace capwright
