// Recursive descent over the tokens of one template, after the grammar of Jinja2 3.1. Each function has its production
// above it; quotes mark words and operators, names of other productions are bare.
#pragma once
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "template/syntax/ast.h"
#include "template/syntax/lexer.h"

namespace capwright::jinja {

class Parser {
 public:
  // Nodes are allocated in `arena`. At most one error is reported per tag: an error turns the current token into one
  // that matches nothing, so that all productions return silently, and parsing continues after the tag.
  Parser(Lexer& lexer, const Options& options, Arena& arena, Sink& sink);

  // template: body
  Body parse_template();

 private:
  using EndTags = std::span<const std::string_view>;
  // The start of a node: its first byte, and the line that Jinja2 assigns to it.
  struct Mark {
    Span span;
    std::uint32_t line;
  };
  struct OpenTag {
    std::string_view name;
    Span span;
  };
  struct TupleMode {
    bool simplified = false;     // items are primaries: targets
    bool conditional = true;     // items may be `a if b else c`
    bool parenthesised = false;  // `()` is a tuple
    bool namespaced = false;     // items may be `name.attribute`: targets of set
  };

  // ---- tokens: parser.cc ----
  bool at(TokenKind kind) const { return current_.kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::Name) && current_.text == word; }
  bool faulty() const { return at(TokenKind::Fault); }
  // In a list that ends with `end`: whether there are more items.
  bool before(TokenKind end) const { return !at(end) && !faulty(); }
  const Token& peek();
  Token take();
  bool take_if(TokenKind);
  bool take_word(std::string_view word);
  Token expect(TokenKind);
  void expect_word(std::string_view word);
  void finish_tag(TokenKind end);
  void recover();

  // ---- errors ----
  // Reports at the current token, unless an error is already pending; the tag is abandoned either way.
  template <class... Args>
  Diagnostic& fail(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    if (!begin_fault()) return dropped_ = Diagnostic{};
    return sink_.report(spec, where, args...);
  }
  bool begin_fault();
  void fail_expected(const std::string& what);
  void point_back(const std::string& what, Diagnostic& said) const;
  std::string describe_end(TokenKind) const;
  std::string end_of_tag() const;
  void fail_unclosed(EndTags ends);
  void fail_tag(const Token& name);
  void fail_crossed(const Token& name);
  void fail_misplaced(const Token& name);
  void fail_unknown_tag(const Token& name);
  void fail_depth(std::string_view what, Span where);
  std::vector<std::string_view> known_tags() const;
  Diagnostic& fail_arguments(std::string_view what);

  // ---- nodes ----
  Mark here() const { return {current_.span, current_.line}; }
  // A node from `start` to the last consumed token.
  template <class T>
  T* make(NodeKind kind, const Mark& start) {
    T* node = arena_.make<T>();
    node->kind = kind;
    node->span = {start.span.file, start.span.begin, std::max(taken_.span.end, start.span.begin)};
    node->line = start.line;
    return node;
  }
  // Records that `child` is below `parent`; a tree that is too deep is an error.
  void hold(Expr& parent, const Expr* child);
  void hold(Expr& parent, const Arguments&);
  Expr* placeholder();
  Identifier identifier(const Token& name) const { return {name.text, hash_text(name.text), name.span}; }
  auto list(const auto& items) { return arena_.copy(items); }

  // ---- statements: parse_statements.cc ----
  Body parse_body(EndTags ends);
  Body parse_nested(std::initializer_list<std::string_view> ends);
  std::string_view take_end();
  bool ends_body(EndTags ends) const;
  Stmt* parse_statement();
  Stmt* dispatch(std::string_view tag);
  Stmt* parse_for();
  Stmt* parse_if();
  Stmt* parse_set();
  Stmt* parse_with();
  Stmt* parse_autoescape();
  Stmt* parse_block();
  Stmt* parse_extends();
  Stmt* parse_include();
  Stmt* parse_import();
  Stmt* parse_from();
  Stmt* parse_macro();
  Stmt* parse_call_block();
  Stmt* parse_filter_block();
  Stmt* parse_print();
  Stmt* parse_do();
  Stmt* parse_jump();
  std::optional<bool> parse_context();
  ImportedName parse_imported_name();
  std::span<const Parameter> parse_signature();
  void check_required(const Block&);

  // ---- expressions: parse_expressions.cc ----
  Expr* parse_expression(bool conditional = true);
  Expr* parse_conditional();
  Expr* parse_or();
  Expr* parse_and();
  Expr* parse_not();
  Expr* parse_compare();
  std::optional<CompareOp> take_compare_op();
  Expr* parse_sum();
  Expr* parse_concat();
  Expr* parse_product();
  Expr* parse_power();
  Expr* parse_unary(bool with_filters);
  Expr* parse_postfix(Expr*, const Mark& start);
  Expr* parse_filters_and_tests(Expr*, const Mark& start);
  Expr* binary(BinaryOp op, Expr* left, Expr* right, const Mark& start);
  Expr* logical(NodeKind kind, Expr* left, Expr* right, const Mark& start);
  Expr* unary(NodeKind kind, Expr* operand, const Mark& start);

  // ---- primaries, subscripts, calls: parse_primaries.cc ----
  Expr* parse_primary(bool namespaced = false);
  Expr* parse_name(bool namespaced);
  Expr* parse_string();
  Expr* parse_number();
  Expr* parse_parentheses();
  Expr* parse_list();
  Expr* parse_dict();
  Expr* parse_tuple(const TupleMode&);
  bool at_tuple_end() const;
  Expr* parse_attribute(Expr* object, const Mark& start);
  Expr* parse_subscript(Expr* object, const Mark& start);
  Expr* parse_subscribed();
  Expr* parse_call(Expr* callee, const Mark& start);
  Arguments parse_arguments();
  Filter* parse_filter(const Expr* operand, const Mark& start);
  Filter* parse_filter_chain(bool first_is_bare);
  Expr* parse_test(Expr* operand, const Mark& start);
  Identifier parse_dotted_name();
  Expr* parse_target(const TupleMode&);
  Name* parse_name_target();
  void mark_stored(const Expr*);
  Constant* constant(Value value, const Mark& start);

  // One level of nesting, as long as it lives.
  class Level {
   public:
    Level(Parser& parser, std::string_view what);
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool too_deep() const { return parser_.faulty(); }

   private:
    Parser& parser_;
  };

  Lexer& lexer_;
  const Options& options_;
  Arena& arena_;
  Sink& sink_;
  Token current_, taken_, tag_;  // the next one, the one before, and the begin of the tag that this is in
  std::optional<Token> peeked_;
  std::uint32_t depth_ = 0;
  std::uint32_t faults_ = 0;
  bool end_reported_ = false;                                   // the unexpected end of the text is already reported
  bool unwinding_ = false;                                      // current_ ends an enclosing body
  bool in_line_statement_ = false, tag_holds_another_ = false;  // another: `{{` or `{%`, which no expression has
  std::vector<std::string_view> unknown_tags_;                  // already reported
  std::vector<std::string_view> forgiven_;                      // end tags whose opening tag had a reported error
  std::vector<OpenTag> open_tags_;
  std::vector<EndTags> end_tags_;
  Diagnostic dropped_;
};

}  // namespace capwright::jinja
