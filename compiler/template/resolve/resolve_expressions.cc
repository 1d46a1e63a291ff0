// Expressions: resolves names to slots, filters and tests to functions, and records the values that are read.
#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "diag/catalog/template_syntax.h"
#include "diag/suggest.h"
#include "template/resolve/children.h"
#include "template/resolve/resolver.h"

namespace capwright::jinja {
namespace {

// A call with one of these as an argument name is compiled differently, and then repeated names are accepted.
constexpr std::array<std::string_view, 35> kPythonKeywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_python_keyword(std::string_view name) {
  return std::find(kPythonKeywords.begin(), kPythonKeywords.end(), name) != kPythonKeywords.end();
}

// The truth of an expression that Jinja2 computes at compile time; empty for others, and for constant expressions other
// than literals, `not`, `and` and `or`.
std::optional<bool> constant_truth(const Expr& node) {
  switch (node.kind) {
    case NodeKind::Constant: {
      const auto& constant = static_cast<const Constant&>(node);
      if (!constant.big_integer.empty()) return true;
      switch (constant.value.kind()) {
        case Kind::Bool: return constant.value.as_bool();
        case Kind::Int: return constant.value.as_int() != 0;
        case Kind::Float: return constant.value.as_float() != 0;
        case Kind::String: return !constant.value.text().empty();
        default: return false;
      }
    }
    case NodeKind::Not: {
      const std::optional<bool> operand = constant_truth(*static_cast<const Unary&>(node).operand);
      return operand ? std::optional(!*operand) : std::nullopt;
    }
    case NodeKind::And:
    case NodeKind::Or: {
      const auto& logical = static_cast<const Logical&>(node);
      const std::optional<bool> left = constant_truth(*logical.left);
      if (!left) return std::nullopt;
      return *left == (node.kind == NodeKind::Or) ? left : constant_truth(*logical.right);
    }
    default: return std::nullopt;
  }
}

bool has_slice(const Tuple& keys) {
  return std::any_of(keys.items.begin(), keys.items.end(),
                     [](const Expr* key) { return key->kind == NodeKind::Slice; });
}

}  // namespace

void Resolver::expr(const Expr& node, const Place& place) {
  if (!place.dead) mutable_node<Expr>(node).line = line_;
  switch (node.kind) {
    case NodeKind::Name: read(node, false); return name(mutable_node<Name>(node), place);
    case NodeKind::GetAttr:
    case NodeKind::GetItem: return chain(node, place);
    case NodeKind::Filter: return filter(mutable_node<Filter>(node), place);
    case NodeKind::Test: return test(mutable_node<Test>(node), place);
    case NodeKind::Call: return call(mutable_node<Call>(node), place);
    case NodeKind::And:
    case NodeKind::Or: return logical(mutable_node<Logical>(node), place);
    case NodeKind::Conditional: return conditional(mutable_node<Conditional>(node), place);
    default: return operands(node, place);
  }
}

void Resolver::operands(const Expr& node, const Place& place) {
  for_each_operand(node, [&](const Expr& operand) { expr(operand, place); });
}

void Resolver::name(Name& node, const Place& place) { symbols_.use(node.id, node.slot, *place.function).read = true; }

// Records that the template reads the value at the path of `node`, if it has one.
void Resolver::read(const Expr& node, bool called) {
  const Path path = path_of(node, symbols_);
  const bool builtin =
      path.size() == 1 && find_builtin(BuiltinKind::Function, path.front().key, tree_.options.extras) != nullptr;
  if (!builtin) log_.read(path, node.span, guarded_ != 0, called);
}

// `a.b[c].d`: records one read of the whole path, not one for each part.
void Resolver::chain(const Expr& node, const Place& place) {
  read(node, false);
  const Expr* part = &node;
  while (part->kind == NodeKind::GetAttr || part->kind == NodeKind::GetItem) {
    if (!place.dead) mutable_node<Expr>(*part).line = line_;
    if (part->kind == NodeKind::GetAttr) {
      part = static_cast<const GetAttr*>(part)->object;
      continue;
    }
    const auto& item = static_cast<const GetItem&>(*part);
    expr(*item.key, place);
    if (item.key->kind == NodeKind::Tuple && has_slice(static_cast<const Tuple&>(*item.key)) && !place.dead) {
      fail_later(diag::slice_among_keys, item.key->span);
    }
    part = item.object;
  }
  if (part->kind != NodeKind::Name) return expr(*part, place);
  if (!place.dead) mutable_node<Expr>(*part).line = line_;
  name(mutable_node<Name>(*part), place);
}

void Resolver::filter(Filter& node, const Place& place) {
  node.builtin = builtin(BuiltinKind::Filter, node.name, place);
  const bool copes = node.name.text == "default" || node.name.text == "d";
  if (node.operand != nullptr) guarded(*node.operand, copes, place);
  for_each_argument(node.arguments, [&](const Expr& argument) { expr(argument, place); });
  if (!place.dead) keywords(node.arguments, false);
}

void Resolver::test(Test& node, const Place& place) {
  node.builtin = builtin(BuiltinKind::Test, node.name, place);
  guarded(*node.operand, node.name.text == "defined" || node.name.text == "undefined", place);
  for_each_argument(node.arguments, [&](const Expr& argument) { expr(argument, place); });
  if (!place.dead) keywords(node.arguments, false);
}

void Resolver::guarded(const Expr& operand, bool is_guarded, const Place& place) {
  if (is_guarded) ++guarded_;
  expr(operand, place);
  if (is_guarded) --guarded_;
}

void Resolver::call(Call& node, const Place& place) {
  if (node.callee->kind == NodeKind::Name) {
    if (!place.dead) mutable_node<Expr>(*node.callee).line = line_;
    read(*node.callee, true);
    name(mutable_node<Name>(*node.callee), place);
  } else if (node.callee->kind == NodeKind::GetAttr) {
    method(node, place);
  } else {
    expr(*node.callee, place);
  }
  for_each_argument(node.arguments, [&](const Expr& argument) { expr(argument, place); });
  if (!place.dead) keywords(node.arguments, false);
}

// `labels.items()` reads `labels`; `labels.get('zone')` also reads `labels.zone`, and accepts its absence.
void Resolver::method(const Call& node, const Place& place) {
  const auto& attribute = static_cast<const GetAttr&>(*node.callee);
  if (!place.dead) mutable_node<Expr>(attribute).line = line_;
  expr(*attribute.object, place);
  if (attribute.name.text != "get" || node.arguments.positional.empty()) return;
  const Expr& key = *node.arguments.positional.front();
  Path path = path_of(*attribute.object, symbols_);
  if (path.empty() || key.kind != NodeKind::Constant) return;
  const Value& text = static_cast<const Constant&>(key).value;
  if (!text.is(Kind::String)) return;
  path.push_back({PathStep::Kind::Key, text.text(), 0, key.span});
  log_.read(path, node.span, true, false);
}

// Jinja2 drops operands that a constant left side makes unreachable.
void Resolver::logical(Logical& node, const Place& place) {
  expr(*node.left, place);
  const std::optional<bool> left = constant_truth(*node.left);
  Place right = place;
  right.dead = right.dead || left == (node.kind == NodeKind::Or);
  const std::size_t known = log_.guards();
  if (node.kind == NodeKind::And) log_.add_guards(*node.left, symbols_);
  expr(*node.right, right);
  log_.drop_guards(known);
}

void Resolver::conditional(Conditional& node, Place place) {
  place.soft = true;
  const std::size_t known = log_.guards();
  log_.add_guards(*node.test, symbols_);
  expr(*node.then, place);
  log_.drop_guards(known);
  expr(*node.test, place);
  if (node.otherwise != nullptr) expr(*node.otherwise, place);
}

namespace {

// The filter that does what a function of Helm's templates does, if no similar name does it.
std::string_view filter_of_helm(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kFilters[] = {{"b64dec", "b64decode"},
                                                                        {"b64enc", "b64encode"},
                                                                        {"sha256sum", "sha256"},
                                                                        {"squote", "tojson"},
                                                                        {"toRawJson", "to_json"}};
  const auto known =
      std::find_if(std::begin(kFilters), std::end(kFilters), [&](auto& pair) { return pair.first == name; });
  return known == std::end(kFilters) ? std::string_view() : known->second;
}

}  // namespace

const Builtin* Resolver::builtin(BuiltinKind kind, const Identifier& name, const Place& place) {
  if (const Builtin* found = find_builtin(kind, name.text, tree_.options.extras)) return found;
  const bool is_filter = kind == BuiltinKind::Filter;
  const std::string text(name.text);
  const auto& everywhere = is_filter ? diag::unknown_filter : diag::unknown_test;
  const auto& in_branch = is_filter ? diag::unknown_filter_in_branch : diag::unknown_test_in_branch;
  Diagnostic& said = sink_.report(place.soft || place.dead ? in_branch : everywhere, name.span, text);
  const std::string_view other = is_filter ? filter_of_helm(name.text) : std::string_view();
  const std::string meant =
      other.empty() ? did_you_mean(name.text, builtin_names(kind)) : fmt::format("did you mean `{}`?", other);
  if (!meant.empty()) {
    said.advise(meant);
  } else {
    said.advise(
        fmt::format("write it with known {}s or a macro, or put its result into a layer: "
                    "docs/own-templates.md#3-replace-filters-and-globals",
                    is_filter ? "filter" : "test"));
  }
  return nullptr;
}

void Resolver::keywords(const Arguments& arguments, bool gives_caller) {
  const auto is_keyword = [](const Keyword& keyword) { return is_python_keyword(keyword.name.text); };
  if (std::any_of(arguments.keywords.begin(), arguments.keywords.end(), is_keyword)) return;
  std::unordered_set<std::string_view> names;
  if (gives_caller) names.insert("caller");
  for (const Keyword& keyword : arguments.keywords) {
    if (names.insert(keyword.name.text).second || (gives_caller && keyword.name.text != "caller")) continue;
    fail_later(diag::duplicate_argument, keyword.name.span, std::string(keyword.name.text));
  }
}

void Resolver::target(const Expr& node, const Place& place, const Defines& defines) {
  if (!place.dead) mutable_node<Expr>(node).line = line_;
  if (node.kind == NodeKind::Name) {
    auto& stored = mutable_node<Name>(node);
    const Binding& binding = symbols_.use(stored.id, stored.slot, *place.function);
    log_.define(defines.kind, stored, binding, defines.toplevel);
  } else if (node.kind == NodeKind::GetAttr) {
    expr(*static_cast<const GetAttr&>(node).object, place);
  } else {
    for_each_operand(node, [&](const Expr& item) { target(item, place, defines); });
  }
}

// Names that are stored once, and so always have the value at `path` or an item of it.
void Resolver::follow(const Expr& target, const Path& path, bool pairs) {
  if (path.empty()) return;
  if (target.kind == NodeKind::Tuple) {
    const ListOf<Expr> items = static_cast<const Tuple&>(target).items;
    if (pairs && items.size() == 2) follow(*items[1], path, false);
    return;
  }
  if (target.kind != NodeKind::Name || pairs) return;
  Binding* binding = symbols_.find(static_cast<const Name&>(target).id.text);
  const bool fixed = binding->kind == Binding::Kind::Parameter || binding->kind == Binding::Kind::Clear;
  if (fixed && binding->store_count == 1) binding->path = log_.keep(path);
}

Expr* Resolver::copy_target(const Expr& target) {
  if (target.kind == NodeKind::Name) return tree_.arena.make<Name>(static_cast<const Name&>(target));
  auto* copy = tree_.arena.make<Tuple>(static_cast<const Tuple&>(target));
  std::vector<const Expr*> items;
  for (const Expr* item : copy->items) items.push_back(copy_target(*item));
  copy->items = tree_.arena.copy(items);
  return copy;
}

}  // namespace capwright::jinja
