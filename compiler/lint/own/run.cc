// Evaluates conditions, then validations; each variable once per object, on first use.
#include "lint/own/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "lint/own/inputs.h"

namespace capwright::lint::own {
namespace {

constexpr std::size_t kLongestMessage = 5 * 1024;  // the API server's limit
constexpr std::size_t kLongestShown = 80;          // bytes of an expression in a message

// An expression, or a part of one, on one line.
std::string shown(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  if (line.size() <= kLongestShown) return line;
  std::size_t end = kLongestShown;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

Node below(Node node, const cel::FieldPath& path) {
  for (const cel::FieldStep& step : path) {
    if (!node.exists()) break;
    node = step.index ? node.item(*step.index) : node.member(step.key);
  }
  return node;
}

// The part of a document that has that origin; a Node that doesn't exist when there is none.
Node node_of(const Node& node, OriginId origin) {
  if (node.value().origin() == origin) return node;
  for (const Node item : node.items()) {
    if (const Node found = node_of(item, origin)) return found;
  }
  for (const auto& [key, value] : node.members()) {
    if (const Node found = node_of(value, origin)) return found;
  }
  return {};
}

}  // namespace

// Runs one rule on one object.
class ObjectCheck {
 public:
  ObjectCheck(std::size_t number, const Object& object, const Value& seen, ClusterRun& run,
              std::vector<Finding>& findings)
      : rule_(*run.rules_[number]),
        object_(object),
        run_(run),
        used_(run.used_[number]),
        report_(rule_.info, findings),
        variables_(rule_.variables.size()) {
    bindings_ = {{"object", seen}};
    if (rule_.is_policy) {
      bindings_.push_back({"oldObject", Value::null()});
      bindings_.push_back({"request", creation_of(object, arena_)});
      bindings_.push_back({"namespaceObject", namespace_of(object, arena_)});
    } else {
      bindings_.push_back({"cluster.name", make_string(arena_, object.cluster().name())});
      bindings_.push_back({"cluster.values", run.values()});
    }
  }

  void run() {
    for (const Named& condition : rule_.conditions) {
      forget();
      const cel::Result result = evaluate(condition.expression, scratch_);
      if (is_spent()) return report_spent(condition.expression);
      if (result.failure) return report_failure(condition.expression, *result.failure, object_.place());
      if (!result.value.is_true()) return;
    }
    for (const Validation& validation : rule_.validations) {
      forget();
      const cel::Result result = evaluate(validation.expression, scratch_);
      if (is_spent()) return report_spent(validation.expression);
      if (result.failure) report_failure(validation.expression, *result.failure, place_of(validation, {}));
      else if (!result.value.is_true()) report(validation);
    }
  }

 private:
  // The expression's result is allocated in `arena`; the results of its variables live as long as this.
  cel::Result evaluate(const Expression& expression, Arena& arena) {
    for (const std::size_t variable : expression.variables) compute(variable);
    const std::uint64_t most = std::min({budget_, run_.left_, cel::kCostOfOneEvaluation});
    cel::Result result = expression.program->evaluate(bindings_, arena, most);
    budget_ -= std::min(budget_, result.cost);
    // A call beyond the budget has a cost, but didn't run.
    const std::uint64_t work = std::max(std::min(result.cost, most), result.steps);
    used_ += work;
    run_.is_spent_ = run_.is_spent_ || work > run_.left_ || (most == run_.left_ && result.cost > most);
    run_.left_ -= std::min(run_.left_, work);
    if (result.failure && result.failure->over_budget) spent_ = result.failure->message;
    return result;
  }
  bool is_spent() const { return !spent_.empty() || run_.is_spent_; }
  // Frees the memory of the previous expression: a rule may have many that each use their limit.
  void forget() {
    constexpr std::size_t kMostKept = 1u << 20;
    if (scratch_.bytes_reserved() > kMostKept) scratch_ = Arena();
  }

  // A variable that can't be computed is an error where it is used.
  void compute(std::size_t number) {
    if (variables_[number] != nullptr) return;
    const Named& variable = rule_.variables[number];
    // Limits all variables together to little more than the limit of one evaluation.
    const bool is_full = arena_.bytes_reserved() > 2 * cel::kMostMemory;
    if (is_full) spent_ = "the rule's variables need too much memory";
    const cel::Val value = is_full ? cel::make_error(spent_, arena_) : value_of(variable);
    variables_[number] = arena_.make<cel::Val>(value);
    bindings_.push_back({variable.name, Value(), variables_[number]});
  }

  cel::Val value_of(const Named& variable) {
    const cel::Result result = evaluate(variable.expression, arena_);
    if (!result.failure) return result.value;
    return cel::make_error(fmt::format("`{}`: {}", shown(variable.expression.program->text(result.failure->where)),
                                       result.failure->message),
                           arena_);
  }

  void report(const Validation& validation) {
    const std::vector<cel::Operand> reasons = validation.expression.program->reasons(bindings_, scratch_);
    Finding& finding = at(place_of(validation, reasons), message_of(validation));
    finding.pattern = validation.expression.program->text();
    for (const cel::Operand& reason : reasons) {
      const bool is_large = reason.value.is(cel::TypeKind::Map) && reason.value.size() != 0;
      if (!is_large)
        finding.note("`{}` is {}", shown(validation.expression.program->text(reason.where)),
                     cel::to_text(reason.value, kLongestShown));
    }
    if (!validation.help.empty()) finding.advice = validation.help;
  }

  std::string message_of(const Validation& validation) {
    if (validation.message_expression) {
      const cel::Result made = evaluate(*validation.message_expression, scratch_);
      spent_.clear();  // falls back to the other message
      const bool is_text = !made.failure && made.value.is(cel::TypeKind::String);
      const std::string_view text = is_text ? made.value.text() : std::string_view();
      const bool is_line = text.find('\n') == std::string_view::npos && text.find_first_not_of(' ') != text.npos;
      if (is_line && text.size() <= kLongestMessage) return std::string(text);
    }
    if (!validation.message.empty()) return std::string(validation.message);
    return fmt::format("`{}` does not hold", shown(validation.expression.program->text()));
  }

  void report_failure(const Expression& expression, const cel::Failure& failure, const Node& place) {
    ++run_.failures_;
    if (rule_.ignores_failures) return;
    const std::string part = shown(expression.program->text(failure.where));
    Finding& finding = at(place, fmt::format("`{}` can't be evaluated: {}", part, failure.message));
    finding.pattern = expression.program->text();
    if (failure.message.find("there is no key") != std::string::npos) finding.help("ask for it with `has(…)` first");
  }

  // Stops: an expensive expression is expensive on every object.
  void report_spent(const Expression& expression) {
    if (run_.is_spent_) return;  // reported for all rules
    ++run_.failures_;
    run_.stopped_.insert(&rule_);
    Finding& finding =
        at(object_.place(), fmt::format("`{}` can't be evaluated: {}", shown(expression.program->text()), spent_));
    finding.pattern = expression.program->text();
    finding.note("the rule is not asked about further objects of this cluster");
  }

  Finding& at(const Node& place, const std::string& message) { return report_.at(place, "{}", message); }

  // The one field that caused the failure, by the evaluated values or else by the expression; otherwise the object.
  Node place_of(const Validation& validation, const std::vector<cel::Operand>& reasons) const {
    if (validation.field_is_given) return below(object_.root(), *validation.field);
    std::optional<OriginId> only;
    bool is_one = true;
    for (const cel::Operand& reason : reasons) {
      const OriginId origin = reason.value.origin();
      if (origin == OriginId::None) continue;
      is_one = is_one && (!only || *only == origin);
      only = origin;
    }
    if (only && is_one) {
      if (const Node field = node_of(object_.root(), *only)) return field;
    }
    if (validation.field) return below(object_.root(), *validation.field);
    const Node values = object_.cluster().values();
    if (validation.value && values.exists()) return below(values, *validation.value);
    return object_.place();
  }

  const Rule& rule_;
  const Object& object_;
  ClusterRun& run_;
  std::uint64_t& used_;
  Report report_;
  Arena arena_;    // for variables and for data that all expressions share
  Arena scratch_;  // for the current expression
  std::vector<const cel::Val*> variables_;
  std::vector<cel::Binding> bindings_;
  std::uint64_t budget_ = cel::kCostOfOneObject;
  std::string spent_;  // the limit that an evaluation exceeded
};

const Value& ClusterRun::values() {
  if (!values_) values_ = visible_values(cluster_, arena_);
  return *values_;
}

void ClusterRun::check(const Object& object, std::vector<Finding>& findings) {
  Arena arena;
  std::optional<Value> seen;
  for (std::size_t i = 0; i < rules_.size() && !is_spent_; ++i) {
    if (stopped_.contains(rules_[i]) || !is_for(*rules_[i], object)) continue;
    if (!seen) seen = visible(object, arena);
    ObjectCheck(i, object, *seen, *this, findings).run();
    if (is_spent_) report_total(object, findings);
  }
}

// As a finding of the rule that used most, which is the one to change.
void ClusterRun::report_total(const Object& object, std::vector<Finding>& findings) {
  constexpr std::size_t kMostNamed = 3;
  ++failures_;
  std::vector<std::size_t> order(rules_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return used_[a] > used_[b]; });
  Report report(rules_[order.front()]->info, findings);
  Finding& finding = report.at(object.place(), "the rules of this repository cost more than {} units on this cluster",
                               cel::kCostOfOneCluster);
  for (std::size_t i = 0; i < std::min(kMostNamed, order.size()) && used_[order[i]] != 0; ++i)
    finding.note("`{}` used {} units", rules_[order[i]]->name, used_[order[i]]);
  finding.note("no rule of this repository is evaluated on further objects of this cluster");
  finding.help("make these rules cheaper, or match fewer objects");
}

}  // namespace capwright::lint::own
