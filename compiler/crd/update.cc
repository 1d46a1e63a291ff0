// Validates twice: an error that a new object would also have isn't caused by the update.
#include "crd/update.h"

#include <algorithm>

namespace capwright::crd {
namespace {

// A number, `true`, `false` or `null`.
bool is_plain_value(std::string_view text) {
  return text == "true" || text == "false" || text == "null" ||
         (!text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string_view::npos);
}

// The end of the JSON value at the start of a text; 0 if there is none, because it was too long to be shown; npos if it
// doesn't end.
std::size_t value_end(std::string_view text) {
  const bool is_long = !text.empty() && (text[0] == '{' || text[0] == '[' || text[0] == '"');
  const std::size_t colon = std::min(text.find(": "), text.size());
  if (!is_long) return is_plain_value(text.substr(0, colon)) ? colon : 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    else if (c == '"') quoted = !quoted;
    else if (!quoted && (c == '{' || c == '[')) ++depth;
    else if (!quoted && (c == '}' || c == ']')) --depth;
    if (depth != 0 || quoted) continue;
    const std::string_view rest = text.substr(i + 1);
    return rest.empty() || rest.starts_with(": ") ? i + 1 : 0;  // otherwise a message that starts with a quote
  }
  return std::string_view::npos;
}

// `Invalid value: {…}: field is immutable` without the value; if its end can't be found, without the rest, too.
std::string without_value(const Finding& finding) {
  std::string text(reason_text(finding.reason));
  std::string_view rest = finding.message;
  if (!rest.starts_with(text + ": ")) return text;
  rest.remove_prefix(text.size() + 2);
  const bool shows_none = finding.reason == Reason::Forbidden || finding.reason == Reason::Required;
  const std::size_t end = shows_none ? 0 : value_end(rest);
  if (end == std::string_view::npos) return text;
  rest.remove_prefix(end);
  if (rest.starts_with(": ")) rest.remove_prefix(2);
  return rest.empty() ? text : text.append(": ").append(rest);
}

// A copy without places: the old object's origins are of another table than the stage's.
Value without_origins(const Value& value, Arena& arena) {
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    entries.reserve(value.entries().size());
    for (const Entry& entry : value.entries())
      entries.push_back({entry.key.with_origin(OriginId::None), without_origins(entry.value, arena)});
    return make_map(arena, entries);
  }
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    items.reserve(value.items().size());
    for (const Value& item : value.items()) items.push_back(without_origins(item, arena));
    return make_list(arena, items);
  }
  return value.with_origin(OriginId::None);
}

}  // namespace

std::vector<Refusal> refused_update(const Value& written_before, const Value& after, const Admission* admission,
                                    const Registry& registry, Stage& stage) {
  const Value before = without_origins(written_before, stage.arena);
  const Verdict update = validate({.object = after, .old = &before, .admission = admission}, registry, stage);
  if (update.outcome != Verdict::Outcome::Refused) return {};
  const Verdict create = validate({.object = after, .admission = admission}, registry, stage);
  // The object was already invalid: its errors aren't caused by the update.
  const Verdict unchanged = validate({.object = before, .old = &before, .admission = admission}, registry, stage);
  const auto has = [](const Verdict& verdict, const Finding& finding) {
    return std::any_of(verdict.findings.begin(), verdict.findings.end(), [&](const Finding& other) {
      return other.phase == finding.phase && other.path == finding.path && other.message == finding.message;
    });
  };
  std::vector<Refusal> refusals;
  for (const Finding& finding : update.findings) {
    std::string by = finding.phase == Phase::Admission ? "the webhook of " : "the CRD of ";
    if (update.kind != nullptr) by += update.kind->release;
    if (finding.reason == Reason::Required && has(unchanged, finding)) continue;
    refusals.push_back({finding, without_value(finding), std::move(by), !has(create, finding)});
  }
  return refusals;
}

}  // namespace capwright::crd
