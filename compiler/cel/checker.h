// Infers the types of all parts of an expression, and the overloads that its calls may run.
#pragma once
#include <vector>

#include "cel/ast.h"
#include "cel/program.h"
#include "cel/unify.h"

namespace capwright::cel {

// A local name and the slot of its value.
struct Local {
  std::string_view name;
  const Type* type;
  std::uint32_t slot;
};

class Checker {
 public:
  Checker(const Environment&, Arena&, std::vector<Issue>& issues);

  // Fills in types, slots and overloads. Adds an issue for each type error; such parts have the type Error.
  void check(Expr& root);
  std::uint32_t slots() const { return slots_; }

 private:
  const Type* infer(Expr&);
  const Type* infer_name(Expr&);
  const Type* infer_dotted(Expr&);
  const Type* infer_select(Expr&);
  const Field* find_field(const Type& object, std::string_view name) const;
  const Type* field_type(const Expr&, const Type* operand);
  const Type* infer_call(Expr&);
  const Type* resolve_call(Expr&, std::span<Expr* const> args);
  const Type* infer_logic(Expr&);
  const Type* infer_list(Expr&);
  const Type* infer_map(Expr&);
  const Type* element_type(Expr& element, bool optional);
  const Type* infer_macro(Expr&);
  const Type* infer_fold(Expr&);
  const Type* infer_optional_macro(Expr&);
  const Type* infer_sort_by(Expr&, const Type* key);
  bool bind_variables(Expr&, const Type* range);
  void expect_bool(Expr&);
  void close(Expr&);

  bool is_type_name(const Expr&, std::string& name) const;
  const Local* find_local(std::string_view name) const;
  std::uint32_t declare(std::string_view name, const Type* type);
  void report(Range, std::string message, std::string help = "");
  void report_no_overload(const Expr&, std::span<const Type* const> types);
  void report_unknown_function(const Expr&);
  std::string text_of(const Type* type) { return to_text(*unifier_.resolve(type, true)); }

  const Environment& environment_;
  Arena& arena_;
  std::vector<Issue>& issues_;
  Unifier unifier_;
  std::vector<Local> locals_;
  std::uint32_t slots_ = 0;
};

// Checks literals after type inference: patterns, formats, lists of one type. Compiles patterns.
void check_literals(Expr& root, std::vector<std::unique_ptr<Regex>>& regexes, std::vector<Issue>& issues);

// Folds lists, maps and conversions of literals into literals, as the API server does before it computes costs. A
// conversion that fails is an issue.
void fold_constants(Expr& root, Arena&, std::vector<Issue>& issues);

}  // namespace capwright::cel
