// Infers types from the leaves up. The rules are cel-go's; the messages are capwright's.
#include "cel/checker.h"

#include <algorithm>

#include "cel/function.h"
#include "diag/suggest.h"

namespace capwright::cel {
namespace {

const Type* dyn() { return simple(TypeKind::Dyn); }
const Type* error() { return simple(TypeKind::Error); }
const Type* boolean() { return simple(TypeKind::Bool); }
const Type* first_or_dyn(const Type& type) { return type.first != nullptr ? type.first : dyn(); }
const Type* second_or_dyn(const Type& type) { return type.second != nullptr ? type.second : dyn(); }

// A name as written: `a.b.c`; empty for other expressions.
std::string dotted_name(const Expr& expr) {
  if (expr.kind == ExprKind::Ident) return std::string(expr.name);
  if (expr.kind != ExprKind::Select || expr.optional || expr.test_only) return "";
  const std::string left = dotted_name(*expr.operand);
  return left.empty() ? "" : left + "." + std::string(expr.name);
}

// Operators in their source form.
std::string shown_function(std::string_view name) {
  if (name == "@in") return "in";
  if (name == "_[_]") return "[]";
  if (name == "_[?_]") return "[?]";
  std::string shown;
  for (const char c : name) {
    if (c != '_' || name.find_first_not_of("_!-+*/%<>=") != std::string_view::npos) shown += c;
  }
  return shown;
}

}  // namespace

Checker::Checker(const Environment& environment, Arena& arena, std::vector<Issue>& issues)
    : environment_(environment), arena_(arena), issues_(issues), unifier_(arena) {
  for (const Variable& variable : environment.variables) declare(variable.name, variable.type);
}

void Checker::check(Expr& root) {
  infer(root);
  close(root);
}

std::uint32_t Checker::declare(std::string_view name, const Type* type) {
  locals_.push_back({name, type, slots_});
  return slots_++;
}

const Local* Checker::find_local(std::string_view name) const {
  const auto found =
      std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& local) { return local.name == name; });
  return found == locals_.rend() ? nullptr : &*found;
}

void Checker::report(Range where, std::string message, std::string help) {
  issues_.push_back({where.begin, where.end, std::move(message), std::move(help)});
}

const Type* Checker::infer(Expr& expr) {
  const Type* type = error();
  switch (expr.kind) {
    case ExprKind::Literal: type = simple(expr.literal.kind()); break;
    case ExprKind::Ident: type = infer_name(expr); break;
    case ExprKind::Select: type = infer_select(expr); break;
    case ExprKind::Call: type = infer_call(expr); break;
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Conditional: type = infer_logic(expr); break;
    case ExprKind::List: type = infer_list(expr); break;
    case ExprKind::Map: type = infer_map(expr); break;
    case ExprKind::Macro: type = infer_macro(expr); break;
    case ExprKind::Message:
      report(expr.name_where, "`" + std::string(expr.name) + "` isn't a message type that an expression can create");
      break;
  }
  expr.type = type;
  return type;
}

const Type* Checker::infer_name(Expr& expr) {
  if (const Local* local = find_local(expr.name)) {
    expr.slot = local->slot;
    return local->type;
  }
  if (const Type* named = named_type(expr.name)) {
    expr.kind = ExprKind::Literal;
    expr.literal = Val::type(named);
    return type_of(named, arena_);
  }
  std::vector<std::string_view> names;
  for (const Local& local : locals_) names.push_back(local.name);
  std::string help = did_you_mean(expr.name, names);
  if (help.empty() && !names.empty()) help = "known here: " + list_names(names);
  report(expr.name_where, "`" + std::string(expr.name) + "` is not declared", std::move(help));
  return error();
}

bool Checker::is_type_name(const Expr& expr, std::string& name) const {
  name = dotted_name(expr);
  const std::string_view head = std::string_view(name).substr(0, name.find('.'));
  return !name.empty() && find_local(head) == nullptr && named_type(name) != nullptr;
}

// `a.b` as the name of one variable; null if there is no such variable.
const Type* Checker::infer_dotted(Expr& expr) {
  const std::string name = dotted_name(expr);
  if (name.empty() || find_local(std::string_view(name).substr(0, name.find('.'))) != nullptr) return nullptr;
  if (const Local* local = find_local(name)) {
    expr.kind = ExprKind::Ident;
    expr.name = arena_.text(name);
    expr.operand = nullptr;
    expr.slot = local->slot;
    return local->type;
  }
  const std::string head = name.substr(0, name.find('.') + 1);
  std::vector<std::string_view> names;
  for (const Local& local : locals_) {
    if (local.name.starts_with(head)) names.push_back(local.name);
  }
  const bool is_below = !names.empty() && expr.operand->kind == ExprKind::Ident;
  if (!is_below) return nullptr;
  std::string help = did_you_mean(name, names);
  if (help.empty()) help = "known here: " + list_names(names);
  report(expr.where, "`" + name + "` is not declared", std::move(help));
  return error();
}

const Type* Checker::infer_select(Expr& expr) {
  if (const Type* variable = infer_dotted(expr)) return variable;
  std::string name;
  if (!expr.test_only && is_type_name(expr, name)) {
    const Type* named = named_type(name);
    expr.kind = ExprKind::Literal;
    expr.operand = nullptr;
    expr.literal = Val::type(named);
    return type_of(named, arena_);
  }
  const Type* operand = unifier_.resolve(infer(*expr.operand), false);
  const bool chained = operand->is(TypeKind::Optional);
  const Type* field = field_type(expr, chained ? first_or_dyn(*operand) : operand);
  if (expr.test_only) return boolean();
  return chained || expr.optional ? optional_of(field, arena_) : field;
}

// Since Kubernetes 1.31, a field with the name of a reserved word needs no escape.
const Field* Checker::find_field(const Type& object, std::string_view name) const {
  const Field* field = object.field(name);
  constexpr int kSinceMinor = 31;
  if (field != nullptr || environment_.kubernetes_minor < kSinceMinor || !is_reserved(name)) return field;
  return object.field("__" + std::string(name) + "__");
}

const Type* Checker::field_type(const Expr& expr, const Type* operand) {
  switch (operand->kind) {
    case TypeKind::Map: return second_or_dyn(*operand);
    case TypeKind::Object: {
      if (const Field* field = find_field(*operand, expr.name)) return field->type;
      std::vector<std::string_view> names;
      for (const Field& field : operand->fields) names.push_back(field.name);
      std::string help = did_you_mean(expr.name, names);
      std::string escaped;
      if (escape(expr.name, escaped) && operand->field(escaped) != nullptr) help = "write it as `" + escaped + "`";
      if (help.empty() && !names.empty()) help = "it has " + list_names(names);
      report(expr.name_where, "there is no field `" + std::string(expr.name) + "`", std::move(help));
      return error();
    }
    case TypeKind::Param: unifier_.assignable(dyn(), operand); return dyn();
    default:
      if (!fits_all(*operand)) report(expr.name_where, "a value of type `" + text_of(operand) + "` has no fields");
      return dyn();
  }
}

const Type* Checker::infer_call(Expr& expr) {
  if (expr.member) {
    const std::string qualifier = dotted_name(*expr.args[0]);
    const std::string qualified = qualifier + "." + std::string(expr.name);
    if (!qualifier.empty() && !find_function(qualified).empty()) {
      expr.name = find_function(qualified).front().name;
      expr.name_where.begin = expr.where.begin;
      expr.args = expr.args.subspan(1);
      expr.member = false;
    }
  }
  // The target comes last, because errors in arguments are reported first.
  for (std::size_t i = expr.member ? 1 : 0; i < expr.args.size(); ++i) infer(*expr.args[i]);
  if (expr.member) infer(*expr.args[0]);
  return resolve_call(expr, expr.args);
}

const Type* Checker::resolve_call(Expr& expr, std::span<Expr* const> args) {
  const std::span<const Overload> candidates = find_function(expr.name);
  const bool declared = std::any_of(candidates.begin(), candidates.end(),
                                    [&](const Overload& o) { return o.since <= environment_.kubernetes_minor; });
  if (!declared) {
    report_unknown_function(expr);
    return error();
  }
  std::vector<const Type*> types;
  for (const Expr* arg : args) types.push_back(arg->type);
  std::vector<const Overload*> fitting;
  const Type* result = nullptr;
  for (const Overload& overload : candidates) {
    if (overload.member != expr.member || overload.since > environment_.kubernetes_minor) continue;
    std::map<std::string_view, const Type*> fresh;
    std::vector<const Type*> params;
    for (const Type* param : overload.params) params.push_back(unifier_.instantiate(param, fresh));
    const Type* overload_result = unifier_.instantiate(overload.result, fresh);
    if (!unifier_.assignable(types, params)) continue;
    fitting.push_back(&overload);
    overload_result = unifier_.resolve(overload_result, false);
    if (result == nullptr) result = overload_result;
    else if (!result->is(TypeKind::Dyn) && !same(*result, *overload_result)) result = dyn();
  }
  expr.overloads = arena_.copy(fitting);
  if (result != nullptr) return result;
  report_no_overload(expr, types);
  return error();
}

void Checker::report_unknown_function(const Expr& expr) {
  const std::span<const Overload> candidates = find_function(expr.name);
  if (!candidates.empty()) {
    report(expr.name_where,
           "`" + std::string(expr.name) + "` needs Kubernetes 1." + std::to_string(candidates.front().since));
    return;
  }
  report(expr.name_where, "there is no function `" + std::string(expr.name) + "`",
         did_you_mean(expr.name, function_names()));
}

void Checker::report_no_overload(const Expr& expr, std::span<const Type* const> types) {
  std::vector<std::string> given, wanted;
  for (const Type* type : types) given.push_back(text_of(type));
  const auto joined = [&](const std::vector<std::string>& parts, std::size_t from) {
    std::string text;
    for (std::size_t i = from; i < parts.size(); ++i) text += (i == from ? "" : ", ") + parts[i];
    return text;
  };
  const bool operation = expr.name.find_first_of("_!@") != std::string_view::npos;
  for (const Overload& overload : find_function(expr.name)) {
    std::vector<std::string> params;
    for (const Type* param : overload.params) params.push_back(to_text(*param));
    const std::string call = std::string(expr.name) + "(" + joined(params, overload.member ? 1 : 0) + ")";
    if (operation) wanted.push_back(joined(params, 0));
    else wanted.push_back(overload.member ? params[0] + "." + call : call);
  }
  std::vector<std::string_view> names(wanted.begin(), wanted.end());
  const std::string call = "`" + shown_function(expr.name) + "`";
  std::string message;
  if (operation) message = call + " doesn't take " + joined(given, 0);
  else if (expr.member)
    message =
        "a `" + given[0] + "` has no " + call + (given.size() == 1 ? " without arguments" : " of " + joined(given, 1));
  else message = call + " doesn't take " + (given.empty() ? "no arguments" : joined(given, 0));
  report(expr.name_where, std::move(message), "it takes " + list_names(names));
}

void Checker::expect_bool(Expr& expr) {
  if (unifier_.assignable(infer(expr), boolean())) return;
  report(expr.where, "a `bool` is needed here, and this is a `" + text_of(expr.type) + "`");
}

const Type* Checker::infer_logic(Expr& expr) {
  if (expr.kind != ExprKind::Conditional) {
    for (Expr* arg : expr.args) expect_bool(*arg);
    return boolean();
  }
  expect_bool(*expr.args[0]);
  const Type* yes = infer(*expr.args[1]);
  const Type* no = infer(*expr.args[2]);
  const Type* variable = unifier_.new_variable();
  const Type* const types[] = {yes, no};
  const Type* const params[] = {variable, variable};
  if (unifier_.assignable(types, params)) return unifier_.resolve(variable, false);
  report(expr.where, "both branches must have one type, and they are `" + text_of(yes) + "` and `" + text_of(no) + "`");
  return error();
}

const Type* Checker::element_type(Expr& element, bool optional) {
  const Type* type = infer(element);
  if (!optional) return type;
  const Type* resolved = unifier_.resolve(type, false);
  if (resolved->is(TypeKind::Optional)) return first_or_dyn(*resolved);
  if (!fits_all(*resolved))
    report(element.where, "`?` needs an optional value, but this is a `" + text_of(resolved) + "`");
  return resolved;
}

const Type* Checker::infer_list(Expr& expr) {
  const Type* joined = nullptr;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Type* type = element_type(*expr.args[i], expr.optional_args[i]);
    if (joined == nullptr) joined = type;
    else joined = unifier_.assignable(joined, type) ? unifier_.join(joined, type) : dyn();
  }
  return list_of(joined != nullptr ? joined : unifier_.new_variable(), arena_);
}

const Type* Checker::infer_map(Expr& expr) {
  const Type* joined[2] = {nullptr, nullptr};
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Type* type = element_type(*expr.args[i], i % 2 == 1 && expr.optional_args[i / 2]);
    const Type*& side = joined[i % 2];
    if (side == nullptr) side = type;
    else side = unifier_.assignable(side, type) ? unifier_.join(side, type) : dyn();
  }
  for (const Type*& side : joined) {
    if (side == nullptr) side = unifier_.new_variable();
  }
  return map_of(joined[0], joined[1], arena_);
}

// Declares the variables of a macro over `range`; false if `range` can't be iterated.
bool Checker::bind_variables(Expr& expr, const Type* range) {
  const bool two = !expr.variables[1].empty();
  const Type *first = dyn(), *second = dyn();
  bool good = true;
  switch (range->kind) {
    case TypeKind::List:
      second = first_or_dyn(*range);
      first = two ? simple(TypeKind::Int) : second;
      break;
    case TypeKind::Map:
      first = first_or_dyn(*range);
      second = second_or_dyn(*range);
      break;
    case TypeKind::Dyn:
    case TypeKind::Error:
    case TypeKind::Param: unifier_.assignable(dyn(), range); break;
    default:
      report(expr.operand->where,
             "`" + std::string(expr.name) + "` runs over a list or map, and this is a `" + text_of(range) + "`");
      first = second = error();
      good = false;
  }
  expr.slot = declare(expr.variables[0], first);
  if (two) declare(expr.variables[1], second);
  return good;
}

const Type* Checker::infer_macro(Expr& expr) {
  if (expr.macro == Macro::OptMap || expr.macro == Macro::OptFlatMap) return infer_optional_macro(expr);
  const Type* range = unifier_.resolve(infer(*expr.operand), false);
  const std::size_t outside = locals_.size();
  bind_variables(expr, range);
  const Type* type = infer_fold(expr);
  locals_.resize(outside);
  return type;
}

const Type* Checker::infer_fold(Expr& expr) {
  const Type* variable = locals_[locals_.size() - (expr.variables[1].empty() ? 1 : 2)].type;
  const bool decides = expr.macro == Macro::All || expr.macro == Macro::Exists || expr.macro == Macro::ExistsOne ||
                       expr.macro == Macro::Filter;
  if (decides || expr.args.size() == 2) expect_bool(*expr.args[0]);
  if (expr.macro == Macro::Filter) return list_of(variable, arena_);
  if (decides) return boolean();
  Expr& body = *expr.args.back();
  const Type* type = infer(body);
  switch (expr.macro) {
    case Macro::SortBy: return infer_sort_by(expr, type);
    case Macro::TransformMap: return map_of(variable, type, arena_);
    case Macro::TransformMapEntry: {
      const Type* entries = map_of(unifier_.new_variable(), unifier_.new_variable(), arena_);
      if (unifier_.assignable(type, entries)) return unifier_.resolve(entries, false);
      report(body.where, "`transformMapEntry` makes maps, and this is a `" + text_of(type) + "`");
      return error();
    }
    default: return list_of(type, arena_);
  }
}

const Type* Checker::infer_sort_by(Expr& expr, const Type* key) {
  const bool literal = expr.operand->kind == ExprKind::Literal || expr.operand->kind == ExprKind::Map;
  if (literal) report(expr.operand->where, "`sortBy` sorts a list");
  Expr keys{.kind = ExprKind::Literal, .where = expr.args[0]->where};
  keys.type = list_of(key, arena_);
  Expr call{
      .kind = ExprKind::Call, .member = true, .where = expr.where, .name_where = expr.name_where, .name = "@sortBy"};
  Expr* const args[] = {expr.operand, &keys};
  const Type* type = resolve_call(call, args);
  expr.overloads = call.overloads;
  return type;
}

const Type* Checker::infer_optional_macro(Expr& expr) {
  const Type* target = unifier_.resolve(infer(*expr.operand), false);
  const Type* optional = optional_of(unifier_.new_variable(), arena_);
  if (!unifier_.assignable(target, optional)) {
    report(expr.operand->where,
           "`" + std::string(expr.name) + "` runs over an optional value, and this is a `" + text_of(target) + "`");
    return error();
  }
  expr.slot = declare(expr.variables[0], unifier_.resolve(optional->first, false));
  const Type* type = infer(*expr.args[0]);
  locals_.pop_back();
  if (expr.macro == Macro::OptMap) return optional_of(type, arena_);
  const Type* result = optional_of(unifier_.new_variable(), arena_);
  if (unifier_.assignable(type, result)) return unifier_.resolve(result, false);
  report(expr.args[0]->where, "`optFlatMap` makes an optional value, and this is a `" + text_of(type) + "`");
  return error();
}

void Checker::close(Expr& expr) {
  expr.type = unifier_.resolve(expr.type, true);
  if (expr.operand != nullptr) close(*expr.operand);
  for (Expr* arg : expr.args) close(*arg);
}

}  // namespace capwright::cel
