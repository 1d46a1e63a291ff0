// The table of macros, and the requirements on their arguments.
#include <algorithm>

#include "cel/syntax.h"

namespace capwright::cel {
namespace {

struct MacroForm {
  std::string_view name;
  std::size_t args;  // not counting the target
  std::size_t variables;
  Macro macro;
};
constexpr MacroForm kForms[] = {
    {"all", 2, 1, Macro::All},
    {"all", 3, 2, Macro::All},
    {"exists", 2, 1, Macro::Exists},
    {"exists", 3, 2, Macro::Exists},
    {"exists_one", 2, 1, Macro::ExistsOne},
    {"exists_one", 3, 2, Macro::ExistsOne},
    {"existsOne", 3, 2, Macro::ExistsOne},
    {"map", 2, 1, Macro::Map},
    {"map", 3, 1, Macro::Map},
    {"filter", 2, 1, Macro::Filter},
    {"transformList", 3, 2, Macro::TransformList},
    {"transformList", 4, 2, Macro::TransformList},
    {"transformMap", 3, 2, Macro::TransformMap},
    {"transformMap", 4, 2, Macro::TransformMap},
    {"transformMapEntry", 3, 2, Macro::TransformMapEntry},
    {"transformMapEntry", 4, 2, Macro::TransformMapEntry},
    {"sortBy", 2, 1, Macro::SortBy},
    {"optMap", 2, 1, Macro::OptMap},
    {"optFlatMap", 2, 1, Macro::OptFlatMap},
};

MacroUse refuse(Range where, std::string message, Issue& issue) {
  issue = {where.begin, where.end, std::move(message), ""};
  return MacroUse::Refused;
}

MacroUse expand_has(Expr& call, Issue& issue) {
  Expr& field = *call.args[0];
  if (field.kind != ExprKind::Select || field.test_only) {
    return refuse(field.where, "`has` takes a field, such as `has(self.name)`", issue);
  }
  const Range where = call.where;
  call = field;
  call.where = where;
  call.test_only = true;
  call.optional = false;
  return MacroUse::Expanded;
}

}  // namespace

MacroUse expand_macro(Expr& call, Arena& arena, Issue& issue) {
  if (!call.member) return call.name == "has" && call.args.size() == 1 ? expand_has(call, issue) : MacroUse::None;
  const auto form = std::find_if(std::begin(kForms), std::end(kForms), [&](const MacroForm& f) {
    return f.name == call.name && f.args + 1 == call.args.size();
  });
  if (form == std::end(kForms)) return MacroUse::None;
  for (std::size_t i = 0; i < form->variables; ++i) {
    const Expr& variable = *call.args[i + 1];
    if (variable.kind != ExprKind::Ident || variable.name.starts_with('.')) {
      return refuse(variable.where,
                    "argument " + std::to_string(i + 1) + " of `" + std::string(call.name) + "` names a variable",
                    issue);
    }
    if (variable.name == "__result__") return refuse(variable.where, "`__result__` can't be a variable", issue);
    call.variables[i] = variable.name;
  }
  if (form->variables == 2 && call.variables[0] == call.variables[1]) {
    return refuse(call.args[2]->where, "both variables are called `" + std::string(call.variables[0]) + "`", issue);
  }
  call.kind = ExprKind::Macro;
  call.macro = form->macro;
  call.operand = call.args[0];
  call.args = arena.copy(call.args.subspan(1 + form->variables));
  return MacroUse::Expanded;
}

}  // namespace capwright::cel
