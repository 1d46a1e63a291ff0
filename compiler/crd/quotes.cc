// Without quotes YAML reads `1.30` as a number and `no` as a boolean; with quotes each is a string.
#include <fmt/format.h>

#include "crd/structure.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

bool has_leading_zero(std::string_view text) { return text.size() > 1 && text[0] == '0' && text[1] != '.'; }

// A quoted text that has the right type without its quotes, unambiguously: `"010"` may be ten or eight.
bool is_quoted_by_mistake(Type wanted, const Value& value) {
  const bool is_quoted = value.style() == ScalarStyle::SingleQuoted || value.style() == ScalarStyle::DoubleQuoted;
  if (!value.is(Kind::String) || !is_quoted) return false;
  const Value plain = resolve_plain(value.text(), ScalarRules::Kubernetes);
  switch (wanted) {
    case Type::Integer: return plain.is(Kind::Int) && canonical_json(plain) == value.text();
    case Type::Number: return plain.is_number() && !has_leading_zero(value.text());
    case Type::Boolean: return plain.is(Kind::Bool) && canonical_json(plain) == value.text();
    default: return false;
  }
}

std::string help_with_quotes(const Value& value, std::string_view written) {
  std::string_view read;
  if (value.is(Kind::Bool)) read = value.as_bool() ? "true" : "false";
  const bool says_more = !read.empty() && written != read && !written.starts_with('*') && !value.tainted();
  if (!says_more) return "quote it";
  return fmt::format("`{}` is `{}` in YAML 1.1: quote it", written, read);
}

}  // namespace

void judge_quotes(Type wanted, const Value& value, const Stage& stage, Finding& finding) {
  const bool is_plain = (value.is_number() || value.is(Kind::Bool)) && value.style() == ScalarStyle::Plain;
  if (wanted == Type::String && is_plain) {
    finding.lacks_quotes = true;
    finding.help = help_with_quotes(value, finding.where.known() ? stage.sources.text(finding.where) : "");
  }
  if (!is_quoted_by_mistake(wanted, value)) return;
  finding.unquoted = value.text();
  finding.help = fmt::format("remove the quotes: `{}`", finding.unquoted);
}

}  // namespace capwright::crd
