// Macros: iterate over the elements of a list or the keys of a map. Costs are those of the loops to which the API
// server expands macros: the condition, the step and the accumulator of each round.
#include "cel/cost.h"
#include "cel/evaluator.h"

namespace capwright::cel {
namespace {

// The cost of the accumulator, per round and at the end.
constexpr std::uint64_t kQuantifierRound = 3, kQuantifierEnd = 1;

}  // namespace

Rounds Evaluator::rounds_of(const Val& range) {
  Rounds rounds{range, {}, 0};
  if (range.is(TypeKind::Map)) {
    rounds.keys = range.keys(arena_);
    rounds.count = rounds.keys.size();
  } else {
    rounds.count = range.size();
  }
  return rounds;
}

void Evaluator::bind(const Expr& macro, const Rounds& rounds, std::size_t round) {
  if (!bounds_.step()) spend(0, macro);
  const bool two = !macro.variables[1].empty();
  if (rounds.range.is(TypeKind::Map)) {
    const Val key = rounds.keys[round];
    slots_[macro.slot] = key;
    if (two) slots_[macro.slot + 1] = rounds.range.find(key, arena_).value_or(Val::null());
    return;
  }
  const Val item = rounds.range.item(round, arena_);
  slots_[macro.slot] = two ? Val::integer(static_cast<std::int64_t>(round)) : item;
  if (two) slots_[macro.slot + 1] = item;
}

Val Evaluator::macro(const Expr& expr) {
  if (expr.macro == Macro::OptMap || expr.macro == Macro::OptFlatMap) return optional_macro(expr);
  const Val range = evaluate(*expr.operand);
  if (range.is_error()) return range;
  if (!range.is(TypeKind::List) && !range.is(TypeKind::Map)) {
    return fail(expr, "no such overload: a list or map is needed, and this is " + to_text(range), {&range, 1});
  }
  const Rounds rounds = rounds_of(range);
  switch (expr.macro) {
    case Macro::All:
    case Macro::Exists: return quantify(expr, rounds);
    case Macro::ExistsOne: return count_one(expr, rounds);
    case Macro::TransformMap:
    case Macro::TransformMapEntry: return build_map(expr, rounds);
    case Macro::SortBy: return sort_by(expr, rounds);
    default: return build_list(expr, rounds);
  }
}

Val Evaluator::quantify(const Expr& expr, const Rounds& rounds) {
  const bool decisive = expr.macro == Macro::Exists;
  Val outcome = Val::boolean(!decisive);
  for (std::size_t i = 0; i < rounds.count; ++i) {
    bind(expr, rounds, i);
    spend(decisive ? kQuantifierRound + 1 : kQuantifierRound, expr);
    const Val value = boolean(*expr.args[0]);
    if (spent_ != nullptr) return value;
    if (value.is(TypeKind::Bool) && value.as_bool() == decisive) {
      outcome = value;
      // The loop condition of the next round, which ends the loop.
      if (i + 1 < rounds.count) spend(decisive ? kQuantifierRound : kQuantifierRound - 1, expr);
      break;
    }
    if (value.is_error() && !outcome.is_error()) outcome = value;
  }
  spend(kQuantifierEnd, expr);
  return outcome;
}

Val Evaluator::count_one(const Expr& expr, const Rounds& rounds) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rounds.count; ++i) {
    bind(expr, rounds, i);
    const Val value = boolean(*expr.args[0]);
    if (value.is_error()) return value;
    spend(value.as_bool() ? 2 : 0, expr);
    count += value.as_bool() ? 1 : 0;
  }
  spend(2, expr);
  return Val::boolean(count == 1);
}

Val Evaluator::build_list(const Expr& expr, const Rounds& rounds) {
  std::vector<Val> items;
  const bool filter = expr.macro == Macro::Filter;
  const bool conditional = filter || expr.args.size() == 2;
  for (std::size_t i = 0; i < rounds.count; ++i) {
    bind(expr, rounds, i);
    if (conditional) {
      const Val wanted = boolean(*expr.args[0]);
      if (wanted.is_error()) return wanted;
      if (wanted.is_false()) continue;
    }
    const Val item = filter ? slots_[expr.slot] : evaluate(*expr.args.back());
    if (item.is_error()) return locate(item, expr);
    // The accumulator, a one-element list unless it is constant, and their concatenation.
    const bool constant = !filter && expr.args.back()->kind == ExprKind::Literal;
    spend(kCostOfName + (constant ? 0 : kCostOfList) + 1 + (filter ? kCostOfName : 0), expr);
    items.push_back(item);
  }
  spend(kCostOfName, expr);
  return make_list(items, arena_);
}

Val Evaluator::build_map(const Expr& expr, const Rounds& rounds) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < rounds.count; ++i) {
    bind(expr, rounds, i);
    const Val key = slots_[expr.slot];
    if (expr.args.size() == 2) {
      const Val wanted = boolean(*expr.args[0]);
      if (wanted.is_error()) return wanted;
      if (wanted.is_false()) continue;
    }
    const Val made = evaluate(*expr.args.back());
    if (made.is_error()) return made;
    if (expr.macro == Macro::TransformMap) {
      spend(3 * kCostOfName, expr);
      pairs.push_back({key, made});
      continue;
    }
    if (!made.is(TypeKind::Map))
      return fail(*expr.args.back(), "a map is needed, and this is " + to_text(made), {&made, 1});
    spend(2 * kCostOfName, expr);
    if (!bounds_.has_room((pairs.size() + made.size()) * sizeof(Pair))) break;
    for (const Val& entry : made.keys(arena_)) pairs.push_back({entry, made.find(entry, arena_).value_or(Val::null())});
  }
  spend(kCostOfName, expr);
  const Val map = make_map(pairs, arena_);
  if (map.size() == pairs.size()) return map;
  return fail(expr, "two entries of the new map have the same key");
}

Val Evaluator::sort_by(const Expr& expr, const Rounds& rounds) {
  std::vector<Val> keys;
  for (std::size_t i = 0; i < rounds.count; ++i) {
    bind(expr, rounds, i);
    const Val key = evaluate(*expr.args[0]);
    if (key.is_error()) return key;
    spend(kCostOfName + (expr.args[0]->kind == ExprKind::Literal ? 0 : kCostOfList) + 1, expr);
    keys.push_back(key);
  }
  const Val args[] = {rounds.range, make_list(keys, arena_)};
  spend(3 * kCostOfName, expr);
  return run(expr, args);
}

Val Evaluator::optional_macro(const Expr& expr) {
  const Val target = evaluate(*expr.operand);
  if (target.is_error()) return target;
  if (!target.is(TypeKind::Optional))
    return fail(expr, "no such overload: " + to_text(target) + " isn't an optional value", {&target, 1});
  if (target.inner() == nullptr) {
    spend(2, expr);
    return target;
  }
  slots_[expr.slot] = *target.inner();
  // The test for a value, the new optional, and the variable's value if the expression uses it.
  spend((expr.macro == Macro::OptMap ? 2 : 1) + (names_slot(*expr.args[0], expr.slot) ? 2 : 0), expr);
  const Val value = evaluate(*expr.args[0]);
  if (value.is_error() || expr.macro == Macro::OptFlatMap) return value;
  return make_optional(value, arena_);
}

}  // namespace capwright::cel
