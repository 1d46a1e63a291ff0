// Rules run from the root down. Transition rules run only if the old value can be found: not in lists without keys.
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
#include <fmt/format.h>

#include "crd/object_checks.h"
#include "crd/structure.h"
#include "crd/validate.h"

namespace capwright::crd {
namespace {

// Appends fieldPath, `.a.b` or `['a-b'].c`, to the path of the value.
std::string with_field_path(std::string path, std::string_view field_path) {
  for (std::size_t at = 0; at < field_path.size();) {
    if (field_path[at] == '.') {
      const std::size_t end = std::min(field_path.find_first_of(".[", at + 1), field_path.size());
      path += (path.empty() ? "" : ".") + std::string(field_path.substr(at + 1, end - at - 1));
      at = end;
    } else if (field_path.substr(at).starts_with("['")) {
      const std::size_t end = field_path.find("']", at);
      if (end == std::string_view::npos) return path;
      path += (path.empty() ? "" : ".") + std::string(field_path.substr(at + 2, end - at - 2));
      at = end + 2;
    } else {
      return path;
    }
  }
  return path;
}

class RuleRunner {
 public:
  explicit RuleRunner(Reporter& report) : report_(report) {}

  // False if the budget is spent.
  bool run(const Node& node, const Place& place) {
    if (!node.checks_rules || place.value.is(Kind::Null)) return true;
    if (node.rules != nullptr && !run_rules(*node.rules, place)) return false;
    if (place.value.is(Kind::List)) return run_items(node, place);
    return !place.value.is(Kind::Map) || run_members(node, place);
  }

 private:
  bool run_items(const Node& node, const Place& place) {
    const std::span<const Value> items = place.value.items();
    const Correlation before(node, place.old);
    for (std::uint32_t i = 0; i < items.size() && node.items != nullptr; ++i) {
      Place item = Place::item(items[i], i, place);
      item.old = before.find(items[i]);
      if (!run(*node.items, item)) return false;
    }
    return true;
  }

  bool run_members(const Node& node, const Place& place) {
    for (const Entry& entry : place.value.entries()) {
      const Property* property = node.table.find(entry.key);
      const Node* below = property != nullptr ? property->node : node.additional;
      if (below == nullptr || !below->checks_rules) continue;
      Place member = Place::member(entry, place);
      if (node.atomic_map) member.old = nullptr;
      if (!run(*below, member)) return false;
    }
    return true;
  }

  bool run_rules(const RuleSet& rules, const Place& place) {
    const bool unchanged = place.old != nullptr && json_equal(*place.old, place.value);
    for (const CompiledRule& rule : rules.compiled()) {
      if (rule.program == nullptr || (rule.transition && place.old == nullptr)) continue;
      if (unchanged && !rule.transition && !rule.rule->optional_old_self) continue;
      if (!run_rule(rule, place)) return false;
    }
    return true;
  }

  bool run_rule(const CompiledRule& rule, const Place& place) {
    const cel::Binding bindings[] = {{"self", place.value}, {"oldSelf", place.old != nullptr ? *place.old : Value()}};
    const std::span<const cel::Binding> bound(bindings, place.old != nullptr ? 2 : 1);
    // The results of earlier rules aren't needed any more, and each of an object's many rules may fill the arena.
    if (arena_.bytes_reserved() > kMostKept) arena_ = Arena();
    const cel::Result result = rule.program->evaluate(bound, arena_, std::min(budget_, cel::kCostOfOneEvaluation));
    const bool over_budget = result.failure && result.failure->over_budget;
    budget_ -= std::min(budget_, result.cost);
    if (over_budget) {
      refuse(rule, place,
             "validation failed due to running out of cost budget, no further validation rules will be run");
      return false;
    }
    if (result.failure) {
      refuse(rule, place, fmt::format("{} evaluating rule: {}", result.failure->message, message_of(rule, {}))).help =
          operands_text(*rule.program, result.failure->operands);
    } else if (!result.value.is_true()) {
      refuse(rule, place, message_of(rule, bound)).help =
          operands_text(*rule.program, rule.program->reasons(bound, arena_));
    }
    return true;
  }

  Finding& refuse(const CompiledRule& rule, const Place& place, std::string message) {
    Finding& finding = report_.add(Phase::Cel, rule.rule->reason, place, std::move(message));
    const bool container = place.value.is(Kind::Map) || place.value.is(Kind::List);
    if (rule.rule->reason == Reason::Required || rule.rule->reason == Reason::Forbidden || container)
      finding.message = fmt::format("{}: {}", reason_text(rule.rule->reason), finding.message);
    else finding.message = fmt::format("{}: {}", with_value(rule.rule->reason, place.value), finding.message);
    if (rule.rule->field_path.empty()) return finding;
    finding.path = with_field_path(std::move(finding.path), rule.rule->field_path);
    finding.field = with_field_path(std::move(finding.field), rule.rule->field_path);
    const Span field = place_of(place.value, with_field_path({}, rule.rule->field_path), report_.stage());
    if (field.known()) finding.where = field;
    return finding;
  }

  std::string message_of(const CompiledRule& rule, std::span<const cel::Binding> bound) {
    if (rule.message != nullptr && !bound.empty()) {
      const cel::Result made = rule.message->evaluate(bound, arena_);
      if (!made.failure && made.value.is(cel::TypeKind::String)) {
        const std::string_view text = made.value.text();
        const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (!blank && text.find('\n') == std::string_view::npos) return std::string(text);
      }
    }
    return rule.rule->message.empty() ? fmt::format("failed rule: {}", rule.rule->text)
                                      : std::string(rule.rule->message);
  }

  static std::string operands_text(const cel::Program& program, const std::vector<cel::Operand>& operands) {
    std::string text;
    for (const cel::Operand& operand : operands) {
      text += fmt::format("{}`{}` is {}", text.empty() ? "" : ", ", program.text(operand.where),
                          cel::to_text(operand.value));
    }
    return text;
  }

  static constexpr std::size_t kMostKept = 1u << 20;

  Reporter& report_;
  Arena arena_;
  std::uint64_t budget_ = cel::kCostOfOneObject;
};

}  // namespace

void check_rules(const Node& node, const Place& place, Reporter& report) {
  if (node.checks_rules) RuleRunner(report).run(node, place);
}

}  // namespace capwright::crd
