// Kubernetes' readers follow YAML 1.1 as go-yaml implements it; PyYAML, which Ansible and many generators use,
// implements more of it.
#include "schema/type_trap.h"

#include <fmt/format.h>

#include "text/python_text.h"
#include "yaml/read.h"

namespace capwright::schema {

bool may_be_retyped(std::string_view text) {
  constexpr std::string_view kFirst = "0123456789+-.~yYnNoOtTfF";
  return !text.empty() && text.size() <= 40 && kFirst.find(text.front()) != std::string_view::npos;
}

std::string reading_words(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return "null";
    case Kind::Bool: return fmt::format("`{}`", value.as_bool());
    case Kind::Int: return fmt::format("the number {}", value.as_int());
    case Kind::Float: return fmt::format("the number {}", python::float_repr(value.as_float()));
    default: return "text";
  }
}

namespace {

// Whether a quoted text would be a valid number or word without its quotes.
bool would_fit_unquoted(const Value& value, TypeSet wanted) {
  const Value plain = resolve_plain(value.text(), ScalarRules::Core);
  switch (plain.kind()) {
    case Kind::Int: return (wanted & kInteger) != 0;
    case Kind::Float: return (wanted & kFraction) != 0;
    case Kind::Bool: return (wanted & kBoolean) != 0;
    default: return false;
  }
}

// An alias, a tag and an escape are written in other ways, which an edit of the whole text would lose.
bool is_quoted(std::string_view written, std::string_view text) {
  return written.size() == text.size() + 2 && (written.front() == '"' || written.front() == '\'') &&
         written.substr(1, text.size()) == text;
}

// `yes` where `true` is required: YAML 1.1's words are plain text in YAML 1.2.
void explain_boolean_word(const Value& value, std::string_view written, Span where, Diagnostic& diagnostic) {
  const Value old = resolve_plain(value.text(), ScalarRules::Kubernetes);
  if (!old.is(Kind::Bool)) return;
  diagnostic.note(fmt::format("only YAML 1.1 reads `{}` as a boolean", value.text()));
  const std::string word = fmt::format("{}", old.as_bool());
  diagnostic.advise(fmt::format("write `{}`", word));
  if (written == value.text()) diagnostic.fix = Fix{"write the boolean", Safety::Safe, {{where, word}}};
}

}  // namespace

bool is_ambiguous(const Value& value) {
  if (value.style() != ScalarStyle::Plain || !may_be_retyped(value.text())) return false;
  return !resolve_plain(value.text(), ScalarRules::Kubernetes).is(Kind::String) ||
         !resolve_plain(value.text(), ScalarRules::Python).is(Kind::String);
}

std::string yaml11_reading(std::string_view text) {
  const Value kubernetes = resolve_plain(text, ScalarRules::Kubernetes);
  return reading_words(kubernetes.is(Kind::String) ? resolve_plain(text, ScalarRules::Python) : kubernetes);
}

void offer_quotes(std::string_view written, Span where, Diagnostic& diagnostic) {
  const std::string text = fmt::format("\"{}\"", written);
  diagnostic.advise(fmt::format("quote it: `{}`", text));
  diagnostic.fix = Fix{"quote the text", Safety::Safe, {{where, text}}};
}

void explain_type(const Value& value, std::string_view written, TypeSet wanted, Span where, Diagnostic& diagnostic) {
  const bool plain = value.style() == ScalarStyle::Plain;
  if (value.is(Kind::Null)) {
    if (written.empty()) diagnostic.note("the key has no value");
    diagnostic.advise("give it a value, or remove the key");
  } else if (value.is(Kind::String) && plain && (wanted & kBoolean) != 0) {
    explain_boolean_word(value, written, where, diagnostic);
  } else if (value.is(Kind::String) && !plain && would_fit_unquoted(value, wanted)) {
    diagnostic.advise(fmt::format("remove the quotes: `{}`", value.text()));
    if (is_quoted(written, value.text()))
      diagnostic.fix = Fix{"remove the quotes", Safety::Safe, {{where, std::string(value.text())}}};
  } else if (plain && !value.is(Kind::String) && (wanted & kString) != 0 && !written.empty()) {
    const std::string now = value.is(Kind::Bool) ? "a boolean" : reading_words(value);
    const std::string then = value.is(Kind::Bool) ? now : yaml11_reading(written);
    diagnostic.note(now == then ? fmt::format("unquoted, `{}` is {}", written, now)
                                : fmt::format("unquoted, `{}` is {}, and {} to YAML 1.1", written, now, then));
    offer_quotes(written, where, diagnostic);
  }
}

}  // namespace capwright::schema
