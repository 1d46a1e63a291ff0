// A recursive-descent parser; each function has its grammar above it, after cel-spec's langdef.
#include <algorithm>
#include <charconv>
#include <vector>

#include "cel/syntax.h"
#include "cel/text_forms.h"

namespace capwright::cel {
namespace {

struct Operator {
  std::string_view sign;
  std::string_view function;
};
constexpr Operator kRelations[] = {{"==", "_==_"}, {"!=", "_!=_"}, {"<", "_<_"}, {"<=", "_<=_"},
                                   {">", "_>_"},   {">=", "_>=_"}, {"in", "@in"}};
constexpr Operator kSums[] = {{"+", "_+_"}, {"-", "_-_"}};
constexpr Operator kProducts[] = {{"*", "_*_"}, {"/", "_/_"}, {"%", "_%_"}};

// Names that are keywords even after a dot.
bool is_keyword(std::string_view name) { return name == "in" || name == "true" || name == "false" || name == "null"; }

class Parser {
 public:
  Parser(std::string_view text, Arena& arena, Issue& issue) : text_(text), arena_(arena), issue_(issue) {}

  Expr* run() {
    if (!tokenize(text_, arena_, tokens_, issue_)) return nullptr;
    Expr* expr = expression();
    if (expr != nullptr && token().kind != TokenKind::End) return expected("an operator");
    return expr;
  }

 private:
  const Token& token() const { return tokens_[at_]; }
  const Token& next() { return tokens_[at_++]; }
  bool take(std::string_view sign) {
    if (!token().is(sign)) return false;
    ++at_;
    return true;
  }
  std::uint32_t last_end() const { return tokens_[at_ - 1].where.end; }

  Expr* refuse(Range where, std::string message) {
    issue_ = {where.begin, where.end, std::move(message), ""};
    return nullptr;
  }
  Expr* expected(std::string_view what) {
    const Token& found = token();
    const std::string actual =
        found.kind == TokenKind::End
            ? "the end of the expression"
            : "`" + std::string(text_.substr(found.where.begin, found.where.end - found.where.begin)) + "`";
    refuse(found.where, "expected " + std::string(what) + ", found " + actual);
    if (found.kind == TokenKind::Name && found.text == "and") issue_.help = "did you mean `&&`?";
    if (found.kind == TokenKind::Name && found.text == "or") issue_.help = "did you mean `||`?";
    if (at_ > 0 && tokens_[at_ - 1].kind == TokenKind::Name && tokens_[at_ - 1].text == "not")
      issue_.help = "did you mean `!`?";
    return nullptr;
  }

  // Sets range and depth of a node; null if the tree is too deep.
  Expr* finish(Expr expr, std::uint32_t begin) {
    expr.where = {begin, last_end()};
    std::uint16_t below = expr.operand != nullptr ? expr.operand->depth : 0;
    for (const Expr* arg : expr.args) below = std::max(below, arg->depth);
    expr.depth = static_cast<std::uint16_t>(below + 1);
    if (expr.depth > kDeepestExpr) return refuse(expr.where, "the expression nests more than 250 deep");
    return arena_.make<Expr>(expr);
  }

  Expr* call(std::string_view function, std::vector<Expr*> args, std::uint32_t begin, Range name_where) {
    Expr expr{.kind = ExprKind::Call, .name_where = name_where, .name = function};
    expr.args = arena_.copy(args);
    return finish(expr, begin);
  }

  // Expr = Or ["?" Or ":" Expr]
  Expr* expression() {
    if (++nesting_ > kDeepestExpr) return refuse(token().where, "the expression nests more than 250 deep");
    Expr* expr = conditional();
    --nesting_;
    return expr;
  }

  Expr* conditional() {
    Expr* condition = logical(ExprKind::Or);
    if (condition == nullptr || !token().is("?")) return condition;
    ++at_;
    Expr* yes = logical(ExprKind::Or);
    if (yes == nullptr) return nullptr;
    if (!take(":")) return expected("`:`");
    Expr* no = expression();
    if (no == nullptr) return nullptr;
    Expr expr{.kind = ExprKind::Conditional};
    expr.args = arena_.copy(std::vector<Expr*>{condition, yes, no});
    return finish(expr, condition->where.begin);
  }

  // Or = And {"||" And}; And = Relation {"&&" Relation}
  Expr* logical(ExprKind kind) {
    const std::string_view sign = kind == ExprKind::Or ? "||" : "&&";
    std::vector<Expr*> terms;
    do {
      Expr* term = kind == ExprKind::Or ? logical(ExprKind::And) : chain(kRelations, 0);
      if (term == nullptr) return nullptr;
      terms.push_back(term);
    } while (take(sign));
    if (terms.size() == 1) return terms[0];
    Expr expr{.kind = kind};
    expr.args = arena_.copy(terms);
    return finish(expr, terms[0]->where.begin);
  }

  // Relation = Sum {relop Sum}; Sum = Product {("+" | "-") Product}; Product = Unary {("*" | "/" | "%") Unary}
  Expr* chain(std::span<const Operator> operators, int level) {
    Expr* left = operand(level);
    while (left != nullptr) {
      const auto found =
          std::find_if(operators.begin(), operators.end(), [&](const Operator& o) { return token().is(o.sign); });
      if (found == operators.end()) break;
      const Range sign = next().where;
      Expr* right = operand(level);
      if (right == nullptr) return nullptr;
      left = call(found->function, {left, right}, left->where.begin, sign);
    }
    return left;
  }
  Expr* operand(int level) {
    if (level == 0) return chain(kSums, 1);
    return level == 1 ? chain(kProducts, 2) : unary();
  }

  // Unary = {"!"} Member | {"-"} Member
  Expr* unary() {
    const Token& first = token();
    if (!first.is("!") && !first.is("-")) return member();
    const std::string_view sign = first.text;
    std::size_t count = 0;
    while (take(sign)) ++count;
    const bool number = token().kind == TokenKind::Int || token().kind == TokenKind::Double;
    const bool negative = sign == "-" && number && count == 1;
    if (negative) --count;
    Expr* expr = member(negative);
    if (expr == nullptr || count % 2 == 0) return expr;
    return call(sign == "!" ? "!_" : "-_", {expr}, first.where.begin, first.where);
  }

  // Member = Primary {"." ["?"] NAME | "." NAME "(" Args ")" | "[" ["?"] Expr "]"}
  Expr* member(bool negative = false) {
    Expr* expr = primary(negative);
    while (expr != nullptr) {
      if (take(".")) expr = select(expr);
      else if (take("[")) expr = index(expr);
      else break;
    }
    return expr;
  }

  Expr* select(Expr* operand) {
    const bool optional = take("?");
    const Token& name = token();
    const bool escaped = name.kind == TokenKind::EscapedName;
    if (!escaped && (name.kind != TokenKind::Name || is_keyword(name.text))) return expected("the name of a field");
    ++at_;
    if (optional || escaped || !token().is("(")) {
      Expr expr{.kind = ExprKind::Select,
                .optional = optional,
                .name_where = name.where,
                .name = name.text,
                .operand = operand};
      return finish(expr, operand->where.begin);
    }
    ++at_;
    std::vector<Expr*> args{operand};
    if (!arguments(args)) return nullptr;
    Expr* expr = call(name.text, args, operand->where.begin, name.where);
    if (expr == nullptr) return nullptr;
    expr->member = true;
    return expand(expr);
  }

  Expr* expand(Expr* expr) { return expand_macro(*expr, arena_, issue_) == MacroUse::Refused ? nullptr : expr; }

  Expr* index(Expr* operand) {
    const Range sign = tokens_[at_ - 1].where;
    const bool optional = take("?");
    Expr* key = expression();
    if (key == nullptr) return nullptr;
    if (!take("]")) return expected("`]`");
    return call(optional ? "_[?_]" : "_[_]", {operand, key}, operand->where.begin, sign);
  }

  // Args = [Expr {"," Expr}], to the closing parenthesis
  bool arguments(std::vector<Expr*>& args) {
    if (take(")")) return true;
    while (true) {
      Expr* arg = expression();
      if (arg == nullptr) return false;
      args.push_back(arg);
      if (take(")")) return true;
      if (!take(",")) return expected("`,` or `)`") != nullptr;
    }
  }

  // Primary = ["."] NAME ["(" Args ")"] | "(" Expr ")" | List | Map | Message | Literal
  Expr* primary(bool negative) {
    const Token& first = token();
    switch (first.kind) {
      case TokenKind::Int: return number(negative);
      case TokenKind::Uint:
      case TokenKind::Double: return number(negative);
      case TokenKind::String:
      case TokenKind::Bytes: return text_literal();
      case TokenKind::Name: return name();
      case TokenKind::Sign: break;
      default: return expected("an expression");
    }
    if (first.is(".")) return name();
    if (first.is("[")) return list();
    if (first.is("{")) return map();
    if (!take("(")) return expected("an expression");
    Expr* inner = expression();
    if (inner == nullptr) return nullptr;
    if (!take(")")) return expected("`)`");
    inner->where = {first.where.begin, last_end()};
    return inner;
  }

  Expr* literal(Val value, std::uint32_t begin) {
    return finish(Expr{.kind = ExprKind::Literal, .literal = value}, begin);
  }

  Expr* number(bool negative) {
    const Token& token = next();
    const std::uint32_t begin = negative ? tokens_[at_ - 2].where.begin : token.where.begin;
    if (token.kind == TokenKind::Double) {
      const std::optional<double> value = parse_double(token.text);
      if (!value) return refuse(token.where, "`" + std::string(token.text) + "` isn't a valid double");
      return literal(Val::floating(negative ? -*value : *value), begin);
    }
    std::string_view digits = token.text;
    const bool is_unsigned = token.kind == TokenKind::Uint;
    if (is_unsigned) digits.remove_suffix(1);
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    std::uint64_t value = 0;
    const bool fits =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10).ec == std::errc();
    std::uint64_t most = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
    if (is_unsigned) most = ~std::uint64_t{0};
    if (!fits || value > most) {
      return refuse(token.where, "`" + std::string(token.text) + "` doesn't fit " +
                                     (is_unsigned ? "a uint" : "an int") + " of 64 bits");
    }
    if (is_unsigned) return literal(Val::unsigned_integer(value), begin);
    return literal(Val::integer(static_cast<std::int64_t>(negative ? ~value + 1 : value)), begin);
  }

  Expr* text_literal() {
    const Token& token = next();
    const Text* text = make_text_view(arena_, token.value);
    return literal(token.kind == TokenKind::Bytes ? Val::bytes(text) : Val::string(text), token.where.begin);
  }

  Expr* name() {
    const std::uint32_t begin = token().where.begin;
    const bool absolute = take(".");
    const Token& name = token();
    if (name.kind != TokenKind::Name) return expected("a name");
    ++at_;
    if (!absolute && (name.text == "true" || name.text == "false"))
      return literal(Val::boolean(name.text == "true"), begin);
    if (!absolute && name.text == "null") return literal(Val::null(), begin);
    if (is_reserved(name.text)) return refuse(name.where, "`" + std::string(name.text) + "` is a reserved word");
    if (take("(")) {
      std::vector<Expr*> args;
      if (!arguments(args)) return nullptr;
      Expr* expr = call(name.text, args, begin, name.where);
      return expr == nullptr || absolute ? expr : expand(expr);
    }
    if (const std::size_t brace = message_brace()) return message(brace, begin);
    return finish(Expr{.kind = ExprKind::Ident, .name_where = name.where, .name = name.text}, begin);
  }

  // The offset of the `{` of `a.b.C{` if the name just read starts a message; otherwise 0.
  std::size_t message_brace() const {
    std::size_t at = at_;
    while (tokens_[at].is(".") && tokens_[at + 1].kind == TokenKind::Name) at += 2;
    return tokens_[at].is("{") ? at : 0;
  }

  // Message = ["."] NAME {"." NAME} "{" [NAME ":" Expr {"," NAME ":" Expr}] [","] "}"
  Expr* message(std::size_t brace, std::uint32_t begin) {
    at_ = brace;
    const std::string_view name = text_.substr(begin, last_end() - begin);
    const Range name_where{begin, last_end()};
    ++at_;
    while (!take("}")) {
      take("?");
      if (token().kind != TokenKind::Name && token().kind != TokenKind::EscapedName)
        return expected("the name of a field");
      ++at_;
      if (!take(":")) return expected("`:`");
      if (expression() == nullptr) return nullptr;
      if (!take(",") && !token().is("}")) return expected("`,` or `}`");
    }
    return finish(Expr{.kind = ExprKind::Message, .name_where = name_where, .name = name}, begin);
  }

  // List = "[" [["?"] Expr {"," ["?"] Expr}] [","] "]"
  Expr* list() {
    const std::uint32_t begin = next().where.begin;
    std::vector<Expr*> items;
    std::vector<std::uint8_t> optional;
    while (!take("]")) {
      if (!items.empty() && !take(",")) return expected("`,` or `]`");
      if (!items.empty() && take("]")) break;
      optional.push_back(take("?") ? 1 : 0);
      Expr* item = expression();
      if (item == nullptr) return nullptr;
      items.push_back(item);
    }
    Expr expr{.kind = ExprKind::List};
    expr.args = arena_.copy(items);
    expr.optional_args = flags(optional);
    return finish(expr, begin);
  }

  // Map = "{" [["?"] Expr ":" Expr {"," ["?"] Expr ":" Expr}] [","] "}"
  Expr* map() {
    const std::uint32_t begin = next().where.begin;
    std::vector<Expr*> parts;
    std::vector<std::uint8_t> optional;
    while (!take("}")) {
      if (!parts.empty() && !take(",")) return expected("`,` or `}`");
      if (!parts.empty() && take("}")) break;
      optional.push_back(take("?") ? 1 : 0);
      Expr* key = expression();
      if (key == nullptr) return nullptr;
      if (!take(":")) return expected("`:`");
      Expr* value = expression();
      if (value == nullptr) return nullptr;
      parts.insert(parts.end(), {key, value});
    }
    Expr expr{.kind = ExprKind::Map};
    expr.args = arena_.copy(parts);
    expr.optional_args = flags(optional);
    return finish(expr, begin);
  }

  std::span<const bool> flags(const std::vector<std::uint8_t>& optional) {
    bool* start = arena_.make_array<bool>(optional.size());
    std::copy(optional.begin(), optional.end(), start);
    return {start, optional.size()};
  }

  std::string_view text_;
  Arena& arena_;
  Issue& issue_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Expr* parse(std::string_view expression, Arena& arena, Issue& issue) { return Parser(expression, arena, issue).run(); }

}  // namespace capwright::cel
