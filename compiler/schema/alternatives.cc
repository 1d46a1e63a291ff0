// Keywords that combine subschemas for one value, and the choice of the error to report if no alternative fits.
#include <algorithm>

#include "schema/evaluate.h"
#include "schema/words.h"

namespace capwright::schema {
namespace {

// The findings of one alternative for a value.
struct Attempt {
  std::vector<Finding> findings;
  bool other_type = false;  // the value has another type than the alternative requires
};

std::string_view expected_text(const Node& node) {
  return node.notes == nullptr ? std::string_view() : node.notes->expected;
}

bool all_are(const std::vector<Attempt>& attempts, bool (*holds)(const Attempt&)) {
  return std::all_of(attempts.begin(), attempts.end(), holds);
}

// "a, b or c", without repeats.
std::string joined_expectations(const std::vector<Attempt>& attempts) {
  std::vector<std::string> parts;
  for (const Attempt& attempt : attempts) {
    for (const Finding& finding : attempt.findings) {
      const std::string part = finding.kind == Finding::Kind::Missing ? "`" + finding.key + "`" : finding.expected;
      if (!part.empty() && std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " or " : ", ";
    text += parts[i];
  }
  return text;
}

// The distance of a value from an alternative: a key or choice that distinguishes alternatives counts most.
std::size_t distance(const Attempt& attempt) {
  std::size_t sum = 0;
  for (const Finding& finding : attempt.findings) sum += finding.kind == Finding::Kind::Choice ? 10 : 1;
  return sum;
}

}  // namespace

bool Evaluation::check_combination(const Node& node, const Place& at, Evaluated* evaluated) {
  const Combination& rules = *node.combination;
  bool ok = rules.reference == nullptr || check(*rules.reference, at, evaluated);
  if (rules.dynamic != nullptr && (ok || !gives_up())) ok &= check(dynamic_target(*rules.dynamic), at, evaluated);
  for (const Node* part : rules.all_of) {
    if (!ok && gives_up()) return false;
    if (!check(*part, at, evaluated)) ok = false;
  }
  if (!ok && gives_up()) return false;
  if (!rules.any_of.empty()) ok &= check_any_of(node, at, evaluated);
  if (!rules.one_of.empty() && (ok || !gives_up())) ok &= check_one_of(node, at, evaluated);
  if (rules.condition != nullptr && (ok || !gives_up())) ok &= check_condition(node, at, evaluated);
  if (rules.negated != nullptr && knows(*rules.negated, at, nullptr) == true) {
    ok = false;
    if (findings_ != nullptr) findings_->excluded_value(node, at);
  }
  return ok;
}

const Node& Evaluation::dynamic_target(const DynamicReference& reference) const {
  const Node* target = reference.fallback;
  if (reference.anchor.empty()) return *target;
  for (const Scope* scope = scope_; scope != nullptr; scope = scope->outer) {
    const auto found = scope->resource->dynamic_anchors.find(reference.anchor);
    if (found != scope->resource->dynamic_anchors.end()) target = found->second;
  }
  return *target;
}

bool Evaluation::check_any_of(const Node& node, const Place& at, Evaluated* evaluated) {
  const Node* fits = nullptr;
  for (const Node* branch : node.combination->any_of) {
    Evaluated seen;
    if (!asks(*branch, at, evaluated != nullptr ? &seen : nullptr)) continue;
    if (fits == nullptr) fits = branch;
    if (evaluated == nullptr) break;
    evaluated->merge(seen);
  }
  if (fits == nullptr) {
    if (findings_ != nullptr) report_nearest(node, node.combination->any_of, at);
    return false;
  }
  return gives_up() || check(*fits, at);  // a value that fits may still be ambiguous for other readers
}

// The matching branch is unknown until the errors in the value are fixed.
bool Evaluation::mark_open(const Place& at, Evaluated* evaluated) {
  if (evaluated != nullptr) evaluated->mark_all(at.value);
  return true;
}

bool Evaluation::check_one_of(const Node& node, const Place& at, Evaluated* evaluated) {
  const Node* fits = nullptr;
  std::size_t fitting = 0;
  Evaluated seen;
  for (const Node* branch : node.combination->one_of) {
    const std::optional<bool> answer = knows(*branch, at, evaluated != nullptr ? &seen : nullptr);
    if (!answer) return mark_open(at, evaluated);
    if (!*answer) continue;
    fits = branch;
    if (++fitting > 1 && gives_up()) return false;
  }
  if (fitting > 1) {
    findings_->several_alternatives(node, at, fitting);
    return false;
  }
  if (fitting == 0) {
    if (findings_ != nullptr) report_nearest(node, node.combination->one_of, at);
    return false;
  }
  if (evaluated != nullptr) evaluated->merge(seen);
  return gives_up() || check(*fits, at);
}

// A text with `${…}` doesn't show what it is.
std::string Evaluation::reason_of(const Value& value, Span where) const {
  const bool is_written = stage_.sources.text(where).find(value.text()) != std::string_view::npos;
  return is_written || value.tainted() ? "because of this value" : "because this is " + quoted(value);
}

// Members that a condition compares with constants or patterns, also through `$ref` and combinations.
void Evaluation::add_choices(const Node& condition, const Place& at, int levels, std::vector<Choice>& choices) const {
  if (levels == 0 || !at.value.is(Kind::Map)) return;
  if (condition.objects != nullptr) {
    for (const Entry& entry : at.value.entries()) {
      const Property* property = condition.objects->table.find(entry.key.text(), entry.key.text_rep()->hash);
      if (property == nullptr || property->node == nullptr) continue;
      const Place member{entry.value, &at, &entry.key, 0};
      const StringRules* strings = property->node->strings;
      const bool by_pattern = strings != nullptr && strings->pattern != nullptr && entry.value.is(Kind::String);
      if (!property->node->has_candidates && !by_pattern) {
        add_choices(*property->node, member, levels - 1, choices);
        continue;
      }
      const Span where = place_of(member, stage_.origins, stage_.sources);
      if (!where.known()) continue;
      choices.push_back({where, path_text(at), by_pattern ? reason_of(entry.value, where) : ""});
    }
  }
  if (condition.combination == nullptr) return;
  const Combination& rules = *condition.combination;
  for (const Node* below : {rules.reference, rules.negated}) {
    if (below != nullptr) add_choices(*below, at, levels - 1, choices);
  }
  for (const Nodes list : {rules.all_of, rules.any_of, rules.one_of}) {
    for (const Node* below : list) add_choices(*below, at, levels - 1, choices);
  }
}

bool Evaluation::check_condition(const Node& node, const Place& at, Evaluated* evaluated) {
  const Combination& rules = *node.combination;
  Evaluated seen;
  const std::optional<bool> holds = knows(*rules.condition, at, evaluated != nullptr ? &seen : nullptr);
  if (!holds) return mark_open(at, evaluated);
  if (*holds && evaluated != nullptr) evaluated->merge(seen);
  const Node* branch = *holds ? rules.consequence : rules.alternative;
  if (branch == nullptr) return true;
  if (gives_up()) return check(*branch, at, evaluated);
  constexpr int kLevels = 4;  // usually enough for a condition, which may refer to itself
  std::vector<Finding> others = findings_->take();
  const bool says_itself = expected_text(node).empty();
  const bool fits = says_itself ? check(*branch, at, evaluated) : asks(*branch, at, evaluated);
  if (!fits && !says_itself) findings_->no_alternative(at, "doesn't match", std::string(expected_text(node)));
  if (!findings_->empty()) {
    std::vector<Choice> choices;
    add_choices(*rules.condition, at, kLevels, choices);
    findings_->depend_on(choices);
  }
  std::vector<Finding> own = findings_->take();
  findings_->splice(std::move(others));
  findings_->splice(std::move(own));
  return fits;
}

void Evaluation::report_nearest(const Node& node, Nodes branches, const Place& at) {
  if (!expected_text(node).empty()) {
    findings_->no_alternative(at, "doesn't match", std::string(expected_text(node)));
    return;
  }
  std::size_t depth = 0;
  for (const Place* step = &at; step->parent != nullptr; step = step->parent) ++depth;
  std::vector<Finding> others = findings_->take();
  std::vector<Attempt> near, far;
  TypeSet types = 0;
  for (const Node* branch : branches) {
    check(*branch, at);
    Attempt attempt{findings_->take()};
    for (const Finding& finding : attempt.findings) {
      if (finding.kind != Finding::Kind::Type || finding.depth != depth) continue;
      attempt.other_type = true;
      types |= finding.types;
    }
    (attempt.other_type ? far : near).push_back(std::move(attempt));
  }
  findings_->splice(std::move(others));
  const auto is_choice = [](const Attempt& a) {
    return a.findings.size() == 1 && a.findings[0].kind == Finding::Kind::Choice;
  };
  const auto is_missing = [](const Attempt& a) {
    return a.findings.size() == 1 && a.findings[0].kind == Finding::Kind::Missing;
  };
  if (near.empty()) {
    findings_->wrong_type(node, at, types, joined_expectations(far));
  } else if (near.size() > 1 && all_are(near, is_missing)) {
    findings_->no_alternative(at, "lacks a key", joined_expectations(near));
  } else if (near.size() > 1 && all_are(near, is_choice)) {
    findings_->no_alternative(at, "is " + quoted(at.value), joined_expectations(near));
  } else {
    const auto by_distance = [](const Attempt& a, const Attempt& b) { return distance(a) < distance(b); };
    Attempt& nearest = *std::min_element(near.begin(), near.end(), by_distance);
    for (Finding& finding : nearest.findings) {
      if (near.size() > 1) finding.diagnostic.note("the nearest of several alternatives requires this");
    }
    findings_->splice(std::move(nearest.findings));
  }
}

}  // namespace capwright::schema
