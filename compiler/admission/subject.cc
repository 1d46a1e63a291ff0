// Adds errors, in the server's wording.
#include "admission/subject.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "admission/edit.h"
#include "admission/pattern.h"
#include "facts/catalogue.h"

namespace capwright::admission {
namespace {

constexpr std::size_t kLongestShown = 120;

// "Invalid value: "x": why", "Forbidden: why".
std::string worded(crd::Reason reason, const Value& value, std::string_view message) {
  const bool shows_value = reason != crd::Reason::Required && reason != crd::Reason::Forbidden;
  std::string text = shows_value ? crd::with_value(reason, value) : std::string(crd::reason_text(reason));
  if (text.size() > kLongestShown) text = crd::reason_text(reason);
  if (!message.empty()) text += ": " + std::string(message);
  return text;
}

// Null: the repository doesn't state it.
const crd::FeatureGate* find_gate(std::string_view name, const std::vector<crd::FeatureGate>& stated) {
  const auto found = std::find_if(stated.rbegin(), stated.rend(), [&](const auto& gate) { return gate.name == name; });
  return found == stated.rend() ? nullptr : &*found;
}

std::string gate_help(std::string_view name, const std::vector<crd::FeatureGate>& stated) {
  constexpr std::string_view kCondition = "if the gate is on in the management cluster,";
  if (find_gate(name, stated) != nullptr)
    return fmt::format("{} replace `{}=false` by `{}` in `feature_gates` of capwright.yaml", kCondition, name, name);
  if (!stated.empty()) return fmt::format("{} add `{}` to `feature_gates` of capwright.yaml", kCondition, name);
  return fmt::format("{} add `feature_gates: [{}]` to capwright.yaml", kCondition, name);
}

}  // namespace

// Rewrites `spec.pools[0].x` to `spec.pools[a].x` if the items of that list have names.
std::string Subject::with_names(std::string path) const {
  for (const NamedItems& named : named_items_) {
    const std::size_t open = named.list.size(), close = path.find(']', open);
    if (!path.starts_with(named.list) || open >= path.size() || path[open] != '[' || close == std::string::npos)
      continue;
    const Value* list = find(object_, named.list);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(path.data() + open + 1, path.data() + close, index);
    if (error != std::errc() || end != path.data() + close || list == nullptr || !list->is(Kind::List) ||
        index >= list->items().size())
      continue;
    path.replace(open + 1, close - open - 1, text_at(list->items()[index], named.key));
  }
  return path;
}

void Subject::report(crd::Reason reason, const crd::Place& place, std::string path, std::string_view message) {
  const Span where = span_of(place, review_.stage.origins, review_.stage.sources);
  crd::Finding& finding =
      report_.add_at(crd::Phase::Admission, reason, std::move(path), where, worded(reason, place.value, message));
  if (!blamed_gate_.empty()) finding.help = gate_help(blamed_gate_, review_.registry.feature_gates());
}

bool Subject::has_gate(std::string_view name) const {
  const crd::FeatureGate* stated = find_gate(name, review_.registry.feature_gates());
  return stated != nullptr ? stated->is_on : gate_default(name).value_or(false);
}

void Subject::refuse(crd::Reason reason, const crd::Place& place, std::string_view path, std::string_view message) {
  report(reason, place, with_names(reported_path(path, place)), message);
}

void Subject::refuse_item(crd::Reason reason, const crd::Place& place, std::string_view path,
                          std::string_view message) {
  report(reason, place, reported_path(path, place), message);
}

void Subject::refuse(crd::Reason reason, std::string_view path, std::string_view message) {
  std::string pattern(path);
  bool found = false;
  Pattern(pattern).each(root_, true, [&](const crd::Place& place) {
    if (!found) refuse(reason, place, path, message);
    found = true;
  });
  if (!found) refuse(reason, root_, path, message);
}

void Subject::refuse_conversion(const crd::Place& place, std::string_view message) {
  report_.add(crd::Phase::Conversion, crd::Reason::Malformed, place, std::string(message));
}

}  // namespace capwright::admission
