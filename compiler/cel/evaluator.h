// Evaluates a checked tree: values, errors that `&&`, `||` and macros absorb, and the total cost.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cel/ast.h"
#include "cel/bounds.h"
#include "cel/program.h"

namespace capwright::cel {

// The iterations of a macro: the elements of a list, or the keys of a map.
struct Rounds {
  Val range;
  std::span<const Val> keys;  // of a map
  std::size_t count = 0;
};

class Evaluator {
 public:
  // `slots`: values of the variables, with room for those of macros. An error in a slot is raised when it is read.
  Evaluator(std::span<Val> slots, Arena& arena, std::uint64_t budget);

  Val evaluate(const Expr&);
  std::uint64_t cost() const { return cost_; }
  std::uint64_t steps() const { return bounds_.steps(); }

  Rounds rounds_of(const Val& range);  // a List or Map
  // Sets the variables of a macro to the values of one round.
  void bind(const Expr& macro, const Rounds&, std::size_t round);

 private:
  Val evaluate_now(const Expr&);
  Val select(const Expr&);
  Val select_from(const Expr&, const Val& operand);
  Val test_presence(const Expr&);
  Val index(const Expr&);
  Val call(const Expr&);
  Val run(const Expr&, std::span<const Val> args);
  Val short_or(const Expr&);
  Val logic(const Expr&);
  Val conditional(const Expr&);
  Val list(const Expr&);
  Val map(const Expr&);
  Val macro(const Expr&);
  Val quantify(const Expr&, const Rounds&);
  Val count_one(const Expr&, const Rounds&);
  Val build_list(const Expr&, const Rounds&);
  Val build_map(const Expr&, const Rounds&);
  Val sort_by(const Expr&, const Rounds&);
  Val optional_macro(const Expr&);
  Val boolean(const Expr&);
  void spend(std::uint64_t cost, const Expr&);
  // Whether the budget covers `cost`; if not, the budget is spent.
  bool affords(std::uint64_t cost, const Expr&);
  Val fail(const Expr&, std::string_view message, std::span<const Val> operands = {});
  // The same error; its first enclosing node adds a place and operands.
  Val locate(const Val& error, const Expr&, std::span<const Val> operands = {});

  std::span<Val> slots_;
  Arena& arena_;
  std::uint64_t budget_;
  std::uint64_t cost_ = 0;
  Bounds bounds_;
  const Fault* spent_ = nullptr;  // set once the budget is spent: every result is then this error
};

}  // namespace capwright::cel
