// Text, `{{ … }}` and the tags.
#include <algorithm>
#include <array>

#include "diag/catalog/template_syntax.h"
#include "template/syntax/parser.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

bool is_space(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint c = utf8::decode(text, i);
    if (!unicode::is_space(c.value)) return false;
    i += c.size;
  }
  return !text.empty();
}

}  // namespace

// body: (text | "{{" tuple "}}" | "{%" statement "%}")*
// Ends after the "{%" of a tag in `ends`, or at the end of the text.
Body Parser::parse_body(EndTags ends) {
  std::vector<const Stmt*> body;
  std::vector<OutputPart> parts;
  Mark parts_start;
  const auto flush = [&] {
    if (parts.empty()) return;
    auto* output = make<Output>(NodeKind::Output, parts_start);
    output->span = cover(parts.front().span, parts.back().span);
    output->parts = list(parts);
    body.push_back(output);
    parts.clear();
  };
  while (!at(TokenKind::EndOfTemplate)) {
    if (parts.empty()) parts_start = here();
    if (at(TokenKind::Data)) {
      const Token data = take();
      parts.push_back({data.span, data.text, nullptr});
    } else if (at(TokenKind::VariableBegin)) {
      const Span open = take().span;
      const Expr* expr = parse_tuple({});
      if (parts.empty()) parts_start.line = expr->line;
      finish_tag(TokenKind::VariableEnd);
      parts.push_back({cover(open, taken_.span), {}, expr});
    } else if (at(TokenKind::BlockBegin)) {
      flush();
      in_line_statement_ = !take().text.starts_with(options_.block_start);
      if (ends_body(ends)) break;
      if (const Stmt* statement = parse_statement()) body.push_back(statement);
      if (unwinding_) {
        if (ends_body(ends)) unwinding_ = false;
        break;
      }
      finish_tag(TokenKind::BlockEnd);
    } else {
      recover();  // an error in the text itself: an unterminated comment
    }
  }
  flush();
  return list(body);
}

bool Parser::ends_body(EndTags ends) const {
  return at(TokenKind::Name) && std::find(ends.begin(), ends.end(), current_.text) != ends.end();
}

// The rest of an opening tag, and the body up to one of `ends`, which becomes the current token.
Body Parser::parse_nested(std::initializer_list<std::string_view> ends) {
  take_if(TokenKind::Colon);  // accepted for users of Python
  finish_tag(TokenKind::BlockEnd);
  const Level level(*this, "tags");
  if (level.too_deep()) return {};
  end_tags_.emplace_back(ends.begin(), ends.size());
  const Body body = parse_body(end_tags_.back());
  if (at(TokenKind::EndOfTemplate)) fail_unclosed(end_tags_.back());
  end_tags_.pop_back();
  return body;
}

// The word that ended a body; empty if the text ended first.
std::string_view Parser::take_end() { return unwinding_ || !at(TokenKind::Name) ? std::string_view() : take().text; }

// statement: the tag's name decides. Null if there is nothing to run.
Stmt* Parser::parse_statement() {
  if (!at(TokenKind::Name)) {
    fail_expected("the name of a tag");
    return nullptr;
  }
  open_tags_.push_back({current_.text, current_.span});
  Stmt* statement = dispatch(current_.text);
  open_tags_.pop_back();
  if (statement == nullptr) fail_tag(Token(current_));
  return statement;
}

// Null, without consuming tokens, for an unknown tag.
Stmt* Parser::dispatch(std::string_view tag) {
  struct Tag {
    std::string_view name;
    Stmt* (Parser::*parse)();
  };
  static constexpr std::array kTags{
      Tag{"for", &Parser::parse_for},
      Tag{"if", &Parser::parse_if},
      Tag{"set", &Parser::parse_set},
      Tag{"with", &Parser::parse_with},
      Tag{"autoescape", &Parser::parse_autoescape},
      Tag{"block", &Parser::parse_block},
      Tag{"extends", &Parser::parse_extends},
      Tag{"include", &Parser::parse_include},
      Tag{"import", &Parser::parse_import},
      Tag{"from", &Parser::parse_from},
      Tag{"macro", &Parser::parse_macro},
      Tag{"call", &Parser::parse_call_block},
      Tag{"filter", &Parser::parse_filter_block},
      Tag{"print", &Parser::parse_print},
      Tag{"do", &Parser::parse_do},
      Tag{"break", &Parser::parse_jump},
      Tag{"continue", &Parser::parse_jump},
  };
  if (tag == "do" && !options_.extension_do) return nullptr;
  if ((tag == "break" || tag == "continue") && !options_.extension_loopcontrols) return nullptr;
  for (const Tag& known : kTags) {
    if (known.name == tag) return (this->*known.parse)();
  }
  return nullptr;
}

// "for" target "in" tuple ("if" expression)? "recursive"? body ("else" body)? "endfor"
Stmt* Parser::parse_for() {
  auto* node = make<For>(NodeKind::For, here());
  take();
  node->target = parse_target({.simplified = true});
  expect_word("in");
  node->iterable = parse_tuple({.conditional = false});
  if (take_word("if")) node->filter = parse_expression();
  node->recursive = take_word("recursive");
  node->span = cover(node->span, taken_.span);
  node->body = parse_nested({"else", "endfor"});
  if (take_end() == "else") {
    node->otherwise = parse_nested({"endfor"});
    take_end();
  }
  return node;
}

// "if" tuple body ("elif" tuple body)* ("else" body)? "endif"
Stmt* Parser::parse_if() {
  auto* node = make<If>(NodeKind::If, here());
  std::vector<IfBranch> branches;
  std::string_view word = take().text;
  node->span.end = taken_.span.end;
  while (word == "if" || word == "elif") {
    const std::uint32_t line = word == "if" ? node->line : current_.line;
    const Expr* test = parse_tuple({.conditional = false});
    if (branches.empty()) node->span = cover(node->span, taken_.span);
    branches.push_back({test, parse_nested({"elif", "else", "endif"}), line});
    word = take_end();
  }
  if (word == "else") {
    node->otherwise = parse_nested({"endif"});
    take_end();
  }
  node->branches = list(branches);
  return node;
}

// "set" target "=" tuple | "set" target ("|" filter)* body "endset"
Stmt* Parser::parse_set() {
  const Mark start = here();
  take();
  const Expr* target = parse_target({.simplified = true, .namespaced = true});
  if (take_if(TokenKind::Assign)) {
    const Expr* value = parse_tuple({});
    auto* node = make<Assign>(NodeKind::Assign, start);
    node->target = target;
    node->value = value;
    return node;
  }
  const Filter* filter = parse_filter_chain(false);
  // Without `=` a body follows; after an error it probably doesn't.
  if (!at(TokenKind::BlockEnd) && !at(TokenKind::Colon)) {
    if (at(TokenKind::LeftBracket)) {
      fail(diag::not_assignable, current_.span, "an item").advise("write `{% do name.update({key: value}) %}`");
    }
    expect(TokenKind::BlockEnd);
    return make<Assign>(NodeKind::Assign, start);
  }
  auto* node = make<AssignBlock>(NodeKind::AssignBlock, start);
  node->target = target;
  node->filter = filter;
  node->body = parse_nested({"endset"});
  take_end();
  return node;
}

// "with" (target "=" expression ("," target "=" expression)*)? body "endwith"
Stmt* Parser::parse_with() {
  auto* node = make<With>(NodeKind::With, here());
  take();
  std::vector<WithBinding> bindings;
  while (before(TokenKind::BlockEnd)) {
    if (!bindings.empty()) expect(TokenKind::Comma);
    const Expr* target = parse_target({.simplified = true});
    expect(TokenKind::Assign);
    bindings.push_back({target, parse_expression()});
  }
  node->span = cover(node->span, taken_.span);
  node->bindings = list(bindings);
  node->body = parse_nested({"endwith"});
  take_end();
  return node;
}

// "autoescape" expression body "endautoescape"
Stmt* Parser::parse_autoescape() {
  auto* node = make<Autoescape>(NodeKind::Autoescape, here());
  take();
  node->enabled = parse_expression();
  node->span = cover(node->span, taken_.span);
  node->body = parse_nested({"endautoescape"});
  take_end();
  return node;
}

// "block" name "scoped"? "required"? body "endblock" name?
Stmt* Parser::parse_block() {
  auto* node = make<Block>(NodeKind::Block, here());
  take();
  node->name = identifier(expect(TokenKind::Name));
  node->scoped = take_word("scoped");
  node->required = take_word("required");
  node->span = cover(node->span, taken_.span);
  if (at(TokenKind::Subtract)) {
    fail(diag::hyphen_in_block_name, cover(node->name.span, current_.span)).advise("write `_` instead of `-`");
  }
  node->body = parse_nested({"endblock"});
  const bool ended = take_end() == "endblock";
  if (ended && node->required) check_required(*node);
  if (ended) take_word(node->name.text);
  return node;
}

void Parser::check_required(const Block& block) {
  const auto is_blank = [](const OutputPart& part) { return part.expr == nullptr && is_space(part.text); };
  for (const Stmt* statement : block.body) {
    const bool blank = statement->kind == NodeKind::Output &&
                       std::ranges::all_of(static_cast<const Output*>(statement)->parts, is_blank);
    if (blank) continue;
    fail(diag::required_block_with_content, taken_.span, std::string(block.name.text))
        .also(statement->span, "this would never be rendered")
        .note("a required block must be filled in by the template that extends this one");
    return;
  }
}

// "extends" expression
Stmt* Parser::parse_extends() {
  const Mark start = here();
  take();
  const Expr* name = parse_expression();
  auto* node = make<Extends>(NodeKind::Extends, start);
  node->name = name;
  return node;
}

// "include" expression ("ignore" "missing")? (("with" | "without") "context")?
Stmt* Parser::parse_include() {
  const Mark start = here();
  take();
  const Expr* name = parse_expression();
  const bool ignore_missing = at_word("ignore") && peek().kind == TokenKind::Name && peek().text == "missing";
  if (ignore_missing) {
    take();
    take();
  }
  const std::optional<bool> with_context = parse_context();
  auto* node = make<Include>(NodeKind::Include, start);
  node->name = name;
  node->ignore_missing = ignore_missing;
  node->with_context = with_context.value_or(true);
  return node;
}

// (("with" | "without") "context")?
std::optional<bool> Parser::parse_context() {
  if (!at_word("with") && !at_word("without")) return std::nullopt;
  if (peek().kind != TokenKind::Name || peek().text != "context") return std::nullopt;
  const bool with = take().text == "with";
  take();
  return with;
}

// "import" expression "as" name (("with" | "without") "context")?
Stmt* Parser::parse_import() {
  const Mark start = here();
  take();
  const Expr* name = parse_expression();
  expect_word("as");
  const Name* target = parse_name_target();
  const std::optional<bool> with_context = parse_context();
  auto* node = make<Import>(NodeKind::Import, start);
  node->name = name;
  node->target = target;
  node->with_context = with_context.value_or(false);
  return node;
}

// "from" expression "import" imported ("," imported)* ","? (("with" | "without") "context")?
// A trailing comma is accepted only before "with" or "without".
Stmt* Parser::parse_from() {
  const Mark start = here();
  take();
  const Expr* name = parse_expression();
  expect_word("import");
  std::vector<ImportedName> names;
  std::optional<bool> with_context;
  do {
    if (!names.empty()) expect(TokenKind::Comma);
    if (!at(TokenKind::Name)) fail_expected("a name to import");
    with_context = parse_context();
    if (with_context) break;
    names.push_back(parse_imported_name());
    with_context = parse_context();
  } while (!with_context && at(TokenKind::Comma));
  auto* node = make<FromImport>(NodeKind::FromImport, start);
  node->name = name;
  node->names = list(names);
  node->with_context = with_context.value_or(false);
  return node;
}

// imported: name ("as" name)?
ImportedName Parser::parse_imported_name() {
  Name* name = parse_name_target();
  if (!faulty() && name->id.text.starts_with('_')) {
    fail(diag::private_import, name->span, std::string(name->id.text))
        .note("names with a leading underscore stay inside their template");
  }
  if (!take_word("as")) return {name->id, name};
  return {name->id, parse_name_target()};
}

// "macro" name signature body "endmacro"
Stmt* Parser::parse_macro() {
  auto* node = make<Macro>(NodeKind::Macro, here());
  take();
  node->name = parse_name_target();
  node->signature.parameters = parse_signature();
  node->span = cover(node->span, taken_.span);
  node->body = parse_nested({"endmacro"});
  take_end();
  return node;
}

// signature: "(" (name ("=" expression)? ("," name ("=" expression)?)*)? ")"
std::span<const Parameter> Parser::parse_signature() {
  expect(TokenKind::LeftParen);
  std::vector<Parameter> parameters;
  while (before(TokenKind::RightParen)) {
    if (!parameters.empty()) expect(TokenKind::Comma);
    const Name* name = parse_name_target();
    const bool has_default = take_if(TokenKind::Assign);
    const bool default_before = !parameters.empty() && parameters.back().fallback != nullptr;
    if (!has_default && default_before) {
      // Jinja2 reports the token after the name; the error is the name, if both are on one line.
      fail(diag::default_order, current_.line == name->line ? name->span : current_.span, std::string(name->id.text))
          .advise("give it a default, or move it to the front");
    }
    parameters.push_back({name, has_default ? parse_expression() : nullptr});
  }
  expect(TokenKind::RightParen);
  return list(parameters);
}

// "call" signature? expression body "endcall"; the expression is a call
Stmt* Parser::parse_call_block() {
  auto* node = make<CallBlock>(NodeKind::CallBlock, here());
  const Token word = take();
  if (at(TokenKind::LeftParen)) node->signature.parameters = parse_signature();
  const Expr* expr = parse_expression();
  if (!faulty() && expr->kind != NodeKind::Call) {
    fail(diag::call_expected, word.line == expr->line ? expr->span : word.span)
        .advise("call a macro: `{% call name() %}`");
  }
  if (expr->kind == NodeKind::Call) node->call = static_cast<const Call*>(expr);
  node->span = cover(node->span, taken_.span);
  node->body = parse_nested({"endcall"});
  take_end();
  return node;
}

// "filter" filter ("|" filter)* body "endfilter"
Stmt* Parser::parse_filter_block() {
  auto* node = make<FilterBlock>(NodeKind::FilterBlock, here());
  take();
  node->filter = parse_filter_chain(true);
  node->span = cover(node->span, taken_.span);
  node->body = parse_nested({"endfilter"});
  take_end();
  return node;
}

// "print" (expression ("," expression)*)?
Stmt* Parser::parse_print() {
  const Mark start = here();
  take();
  std::vector<OutputPart> parts;
  while (before(TokenKind::BlockEnd)) {
    if (!parts.empty()) expect(TokenKind::Comma);
    const Expr* expr = parse_expression();
    parts.push_back({expr->span, {}, expr});
  }
  auto* node = make<Output>(NodeKind::Output, start);
  node->parts = list(parts);
  return node;
}

// "do" tuple
Stmt* Parser::parse_do() {
  const Mark start = here();
  take();
  const Expr* expr = parse_tuple({});
  auto* node = make<Do>(NodeKind::Do, start);
  node->expr = expr;
  return node;
}

// "break" | "continue"
Stmt* Parser::parse_jump() {
  const Mark start = here();
  const NodeKind kind = take().text == "break" ? NodeKind::Break : NodeKind::Continue;
  return make<Jump>(kind, start);
}

}  // namespace capwright::jinja
