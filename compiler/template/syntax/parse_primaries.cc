// Literals, names, brackets, attributes, subscripts, calls, filters, tests, and the targets of assignments.
#include <algorithm>

#include "diag/catalog/template_operations.h"
#include "diag/catalog/template_syntax.h"
#include "template/syntax/parser.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

std::string_view constant_word(const Constant& constant) {
  switch (constant.value.kind()) {
    case Kind::Bool: return constant.value.as_bool() ? "`true`" : "`false`";
    case Kind::String: return "a string";
    case Kind::Null: return constant.big_integer.empty() ? "`none`" : "a number";
    default: return "a number";
  }
}

// The name for an expression in the place of a target.
std::string_view target_word(const Expr& expr) {
  switch (expr.kind) {
    case NodeKind::Constant: return constant_word(static_cast<const Constant&>(expr));
    case NodeKind::List: return "a list";
    case NodeKind::Dict: return "a dict";
    case NodeKind::Call: return "a call";
    case NodeKind::Filter: return "a filtered value";
    case NodeKind::GetAttr: return "an attribute";
    case NodeKind::GetItem: return "an item";
    default: return "an expression";
  }
}

bool is_target(const Expr& expr) {
  return expr.kind == NodeKind::Name || (expr.kind == NodeKind::GetAttr && static_cast<const GetAttr&>(expr).store);
}

// The part of a target that can't be assigned to; null if there is none.
const Expr* not_assignable(const Expr& expr) {
  if (expr.kind != NodeKind::Tuple) return is_target(expr) ? nullptr : &expr;
  for (const Expr* item : static_cast<const Tuple&>(expr).items) {
    if (const Expr* fault = not_assignable(*item)) return fault;
  }
  return nullptr;
}

bool is_constant_name(std::string_view name) {
  return name == "true" || name == "false" || name == "none" || name == "True" || name == "False" || name == "None";
}

}  // namespace

// primary: name | string+ | integer | float | "(" tuple ")" | list | dict
Expr* Parser::parse_primary(bool namespaced) {
  switch (current_.kind) {
    case TokenKind::Name: return parse_name(namespaced);
    case TokenKind::String: return parse_string();
    case TokenKind::Integer:
    case TokenKind::Float: return parse_number();
    case TokenKind::LeftParen: return parse_parentheses();
    case TokenKind::LeftBracket: return parse_list();
    case TokenKind::LeftBrace: return parse_dict();
    default: fail_expected("an expression"); return placeholder();
  }
}

// name: "true" | "false" | "none" | word | word "." word (in targets of set)
Expr* Parser::parse_name(bool namespaced) {
  const Mark start = here();
  const Token word = take();
  if (word.text == "true" || word.text == "True") return constant(Value::boolean(true), start);
  if (word.text == "false" || word.text == "False") return constant(Value::boolean(false), start);
  if (word.text == "none" || word.text == "None") return constant(Value::null(), start);
  auto* name = make<Name>(NodeKind::Name, start);
  name->id = identifier(word);
  if (!namespaced || !take_if(TokenKind::Dot)) return name;
  const Token attribute = expect(TokenKind::Name);
  auto* node = make<GetAttr>(NodeKind::GetAttr, start);
  node->object = name;
  node->name = identifier(attribute);
  node->store = true;
  hold(*node, name);
  return node;
}

Constant* Parser::constant(Value value, const Mark& start) {
  auto* node = make<Constant>(NodeKind::Constant, start);
  node->value = value;
  return node;
}

// string+: adjacent strings are one. On several lines they are a long text, and on one line mostly a missing comma.
Expr* Parser::parse_string() {
  const Mark start = here();
  std::string_view text = take().text;
  bool is_suspicious = false;
  if (at(TokenKind::String)) {
    std::string joined(text);
    is_suspicious = current_.line == start.line;
    while (at(TokenKind::String)) joined += take().text;
    text = arena_.text(joined);
  }
  Expr* string = constant(
      Value::string(arena_.make<Text>(text.data(), static_cast<std::uint32_t>(text.size()), hash_text(text), nullptr)),
      start);
  if (is_suspicious)
    sink_.report(diag::joined_texts, string->span).advise("write a comma between them, or `~` to join them on purpose");
  return string;
}

Expr* Parser::parse_number() {
  const Mark start = here();
  const Token token = take();
  if (token.kind == TokenKind::Float) return constant(Value::floating(*python::parse_float(token.text)), start);
  const std::optional<python::IntText> digits = python::parse_int(token.text, 0);
  if (!digits) {  // the lexer accepts only what int() reads, which also limits the number of digits
    fail(diag::number_too_large, token.span, "an integer can have at most 4300 digits");
    return constant(Value::null(), start);
  }
  const std::optional<std::int64_t> value = digits->value();
  Constant* node = constant(value ? Value::integer(*value) : Value::null(), start);
  if (value) return node;
  // The evaluator reads the text each time; its numbers have at most 65536 bits.
  constexpr std::size_t kLongest = 2 + 65536;
  if (token.text.size() > kLongest) fail(diag::number_too_large, token.span, "the number has more than 65536 digits");
  node->big_integer = token.text;
  return node;
}

// "(" tuple ")"
Expr* Parser::parse_parentheses() {
  const Mark start = here();
  take();
  Expr* expr = parse_tuple({.parenthesised = true});
  expect(TokenKind::RightParen);
  if (expr->kind == NodeKind::Tuple) expr->span = cover(start.span, taken_.span);
  return expr;
}

// list: "[" (expression ("," expression)* ","?)? "]"
Expr* Parser::parse_list() {
  const Mark start = here();
  take();
  std::vector<const Expr*> items;
  while (before(TokenKind::RightBracket)) {
    if (!items.empty()) expect(TokenKind::Comma);
    if (at(TokenKind::RightBracket)) break;
    items.push_back(parse_expression());
  }
  expect(TokenKind::RightBracket);
  auto* node = make<ListLiteral>(NodeKind::List, start);
  node->items = list(items);
  for (const Expr* item : items) hold(*node, item);
  return node;
}

// dict: "{" (pair ("," pair)* ","?)? "}"; pair: expression ":" expression
Expr* Parser::parse_dict() {
  const Mark start = here();
  take();
  std::vector<Pair> pairs;
  while (before(TokenKind::RightBrace)) {
    if (!pairs.empty()) expect(TokenKind::Comma);
    if (at(TokenKind::RightBrace)) break;
    const Expr* key = parse_expression();
    expect(TokenKind::Colon);
    pairs.push_back({key, parse_expression()});
  }
  expect(TokenKind::RightBrace);
  auto* node = make<Dict>(NodeKind::Dict, start);
  node->pairs = list(pairs);
  for (const Pair& pair : pairs) {
    hold(*node, pair.key);
    hold(*node, pair.value);
  }
  return node;
}

// tuple: expression ("," expression)* ","?; only one with a comma, or `()`, is a tuple
Expr* Parser::parse_tuple(const TupleMode& mode) {
  Mark start = here();
  std::vector<const Expr*> items;
  Expr* item = nullptr;
  bool is_tuple = false;
  while (!faulty()) {
    if (!items.empty()) expect(TokenKind::Comma);
    if (at_tuple_end()) break;
    item = mode.simplified ? parse_primary(mode.namespaced) : parse_expression(mode.conditional);
    items.push_back(item);
    if (!at(TokenKind::Comma)) break;
    is_tuple = true;
    start.line = current_.line;
  }
  if (!is_tuple && item != nullptr) return item;
  if (!is_tuple && !mode.parenthesised) fail_expected("an expression");
  auto* node = make<Tuple>(NodeKind::Tuple, start);
  node->items = list(items);
  for (const Expr* held : items) hold(*node, held);
  return node;
}

// A trailing comma is allowed before one of these. Hence not before `in`: `for a, in pairs` is an error.
bool Parser::at_tuple_end() const {
  return at(TokenKind::VariableEnd) || at(TokenKind::BlockEnd) || at(TokenKind::RightParen);
}

// "." (name | integer)
Expr* Parser::parse_attribute(Expr* object, const Mark& start) {
  const Mark from{start.span, current_.line};
  take();
  if (at(TokenKind::Integer)) {
    Expr* index = parse_number();
    auto* node = make<GetItem>(NodeKind::GetItem, from);
    node->object = object;
    node->key = index;
    hold(*node, object);
    return node;
  }
  if (!at(TokenKind::Name)) {
    peek();  // as in Jinja2, which may find an error there
    fail_expected("a name or number after `.`");
  }
  const Token name = take();
  auto* node = make<GetAttr>(NodeKind::GetAttr, from);
  node->object = object;
  node->name = identifier(name);
  hold(*node, object);
  return node;
}

// "[" (subscribed ("," subscribed)*)? "]"
Expr* Parser::parse_subscript(Expr* object, const Mark& start) {
  const Mark bracket = here();
  take();
  std::vector<const Expr*> keys;
  while (before(TokenKind::RightBracket)) {
    if (!keys.empty()) expect(TokenKind::Comma);
    keys.push_back(parse_subscribed());
  }
  const Expr* key = keys.size() == 1 ? keys.front() : nullptr;
  if (key == nullptr) {
    auto* tuple = make<Tuple>(NodeKind::Tuple, bracket);
    tuple->items = list(keys);
    for (const Expr* held : keys) hold(*tuple, held);
    key = tuple;
  }
  expect(TokenKind::RightBracket);
  auto* node = make<GetItem>(NodeKind::GetItem, {start.span, bracket.line});
  node->object = object;
  node->key = key;
  hold(*node, object);
  hold(*node, key);
  return node;
}

// subscribed: expression | expression? ":" expression? (":" expression?)?
Expr* Parser::parse_subscribed() {
  const Mark start = here();
  Expr* first = at(TokenKind::Colon) ? nullptr : parse_expression();
  if (!take_if(TokenKind::Colon)) return first;
  const auto part = [&]() -> const Expr* {
    const bool absent = at(TokenKind::Colon) || at(TokenKind::RightBracket) || at(TokenKind::Comma);
    return absent ? nullptr : parse_expression();
  };
  const Expr* stop = part();
  const bool has_step = take_if(TokenKind::Colon);
  const Expr* step = has_step ? part() : nullptr;
  auto* node = make<Slice>(NodeKind::Slice, start);
  node->start = first;
  node->stop = stop;
  node->step = step;
  hold(*node, first);
  hold(*node, stop);
  hold(*node, step);
  return node;
}

Expr* Parser::parse_call(Expr* callee, const Mark& start) {
  const Mark from{start.span, current_.line};
  const Arguments arguments = parse_arguments();
  auto* node = make<Call>(NodeKind::Call, from);
  node->callee = callee;
  node->arguments = arguments;
  hold(*node, callee);
  hold(*node, arguments);
  return node;
}

// arguments: "(" (argument ("," argument)* ","?)? ")"
// argument: expression | name "=" expression | "*" expression | "**" expression
// Order: plain ones, then named ones and one starred, then one double-starred.
Arguments Parser::parse_arguments() {
  expect(TokenKind::LeftParen);
  Arguments arguments;
  std::vector<const Expr*> positional;
  std::vector<Keyword> keywords;
  bool first = true;
  while (before(TokenKind::RightParen)) {
    if (!first) expect(TokenKind::Comma);
    if (!first && at(TokenKind::RightParen)) break;
    first = false;
    if (at(TokenKind::Multiply)) {
      if (arguments.star != nullptr || arguments.star_star != nullptr) fail_arguments("another `*` argument");
      take();
      arguments.star = parse_expression();
    } else if (at(TokenKind::Power)) {
      if (arguments.star_star != nullptr) fail_arguments("another `**` argument");
      take();
      arguments.star_star = parse_expression();
    } else if (at(TokenKind::Name) && peek().kind == TokenKind::Assign) {
      if (arguments.star_star != nullptr) fail_arguments("a named argument");
      const Token name = take();
      take();
      keywords.push_back({identifier(name), parse_expression()});
    } else {
      if (arguments.star != nullptr || arguments.star_star != nullptr || !keywords.empty()) {
        fail_arguments("a plain argument");
      }
      positional.push_back(parse_expression());
    }
  }
  expect(TokenKind::RightParen);
  arguments.positional = list(positional);
  arguments.keywords = list(keywords);
  return arguments;
}

Diagnostic& Parser::fail_arguments(std::string_view what) {
  return fail(diag::argument_order, current_.span, std::string(what))
      .note("plain arguments come first, then named ones and `*`, then `**`");
}

// filter: dotted-name arguments?
Filter* Parser::parse_filter(const Expr* operand, const Mark& start) {
  const std::uint32_t line = current_.line;
  const Identifier name = parse_dotted_name();
  const Arguments arguments = at(TokenKind::LeftParen) ? parse_arguments() : Arguments{};
  auto* node = make<Filter>(NodeKind::Filter, {start.span, line});
  node->operand = operand;
  node->name = name;
  node->arguments = arguments;
  hold(*node, operand);
  hold(*node, arguments);
  return node;
}

// filter-chain: filter ("|" filter)* on the body of a tag; null if there is none and none is needed
Filter* Parser::parse_filter_chain(bool first_is_bare) {
  const Mark start = here();
  Filter* filter = nullptr;
  bool bare = first_is_bare;
  while (bare || take_if(TokenKind::Pipe)) {
    filter = parse_filter(filter, start);
    bare = false;
  }
  return filter;
}

// test: "is" "not"? dotted-name (arguments | primary postfix*)?
Expr* Parser::parse_test(Expr* operand, const Mark& start) {
  const Mark from{start.span, current_.line};
  const Token is = take();
  const bool negated = take_word("not");
  auto* node = make<Test>(NodeKind::Test, from);
  node->operand = operand;
  const bool on_line_of_is = current_.line == is.line;
  node->name = parse_dotted_name();
  if (!on_line_of_is) node->name.span = cover(is.span, node->name.span);  // where Jinja2 reports an unknown test
  const bool takes_operand = at(TokenKind::String) || at(TokenKind::Integer) || at(TokenKind::Float) ||
                             at(TokenKind::LeftBracket) || at(TokenKind::LeftBrace) ||
                             (at(TokenKind::Name) && !at_word("else") && !at_word("or") && !at_word("and"));
  if (at(TokenKind::LeftParen)) {
    node->arguments = parse_arguments();
  } else if (takes_operand) {
    if (at_word("is")) {
      fail(diag::chained_test, current_.span).advise("join two tests with `and`: `x is string and x is lower`");
    }
    const Mark argument_start = here();
    const Expr* argument = parse_postfix(parse_primary(), argument_start);
    node->arguments.positional = list(std::vector<const Expr*>{argument});
  }
  node->span.end = std::max(node->span.end, taken_.span.end);
  hold(*node, operand);
  hold(*node, node->arguments);
  return negated ? unary(NodeKind::Not, node, from) : node;
}

// dotted-name: name ("." name)*
Identifier Parser::parse_dotted_name() {
  const Token first = expect(TokenKind::Name);
  if (!at(TokenKind::Dot)) return identifier(first);
  std::string joined(first.text);
  while (take_if(TokenKind::Dot)) joined.append(".").append(expect(TokenKind::Name).text);
  const std::string_view text = arena_.text(joined);
  return {text, hash_text(text), cover(first.span, taken_.span)};
}

// target: primary ("," primary)* ","?, of names, tuples of names and (for set) `name.attribute`
Expr* Parser::parse_target(const TupleMode& mode) {
  Expr* target = parse_tuple(mode);
  if (faulty()) return target;
  const Expr* fault = not_assignable(*target);
  if (fault == nullptr) {
    mark_stored(target);
    return target;
  }
  const Span where = fault->line == target->line ? fault->span : target->span;
  fail(diag::not_assignable, where, std::string(target_word(*fault)))
      .note("a target is a name, or names separated by commas");
  return target;
}

Name* Parser::parse_name_target() {
  const Mark start = here();
  const Token word = expect(TokenKind::Name);
  if (!faulty() && is_constant_name(word.text)) {
    // The error isn't in the current token: the text after the name isn't read yet.
    fail(diag::not_assignable, word.span, "`" + std::string(word.text) + "`").note("this word is a constant");
  }
  auto* name = make<Name>(NodeKind::Name, start);
  name->id = identifier(word);
  name->store = true;
  return name;
}

void Parser::mark_stored(const Expr* target) {
  // The parser has just created this node as a mutable one.
  auto* node = const_cast<Expr*>(target);
  if (node->kind == NodeKind::Name) static_cast<Name*>(node)->store = true;
  if (node->kind != NodeKind::Tuple) return;
  static_cast<Tuple*>(node)->store = true;
  for (const Expr* item : static_cast<Tuple*>(node)->items) mark_stored(item);
}

}  // namespace capwright::jinja
