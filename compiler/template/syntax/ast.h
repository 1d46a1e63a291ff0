// The abstract syntax of a Jinja2 template: typed, arena-allocated, immutable once parsed, shared by all threads.
// Shapes and names follow Jinja2 3.1's nodes.py. Every node has its span and the line that Jinja2 would report.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "source/source.h"
#include "value/value.h"

namespace capwright::jinja {

enum class NodeKind : std::uint8_t {
  // expressions
  Constant, Name, Tuple, List, Dict, Conditional, Filter, Test, Call, GetItem, GetAttr, Slice, Concat, Compare,
  Binary, And, Or, Not, Negate, Plus,
  // statements
  Output, For, If, Macro, CallBlock, FilterBlock, With, Block, Include, Import, FromImport, Extends, Assign,
  AssignBlock, Do, Break, Continue, Autoescape,
};

struct Node {
  NodeKind kind;
  Span span;
  std::uint32_t line = 1;  // as in Jinja2's error: of the token that its parser stamps on the node
};
struct Expr : Node {};
struct Stmt : Node {};
template <class T>
using ListOf = std::span<const T* const>;
using Body = ListOf<Stmt>;

// A name with its hash: what maps, contexts and builtin tables are asked with.
struct Identifier {
  std::string_view text;
  std::uint32_t hash = 0;
  Span span;
};

// ---- expressions ----
struct Constant : Expr { Value value; };  // none, true, false, numbers, strings
struct Name : Expr {
  Identifier id;
  bool store = false;          // the target of set, for, with, macro
  std::uint32_t slot = 0;      // set by resolve/: see scopes.h
};
struct Tuple : Expr { ListOf<Expr> items; bool store = false; };
struct ListLiteral : Expr { ListOf<Expr> items; };
struct Pair { const Expr* key; const Expr* value; };
struct Dict : Expr { std::span<const Pair> pairs; };
struct Conditional : Expr { const Expr* test; const Expr* then; const Expr* otherwise; };  // otherwise: may be null
struct Keyword { Identifier name; const Expr* value; };
// Arguments of a call, filter or test; `f(a, k=b, *c, **d)`.
struct Arguments {
  ListOf<Expr> positional;
  std::span<const Keyword> keywords;
  const Expr* star = nullptr;
  const Expr* star_star = nullptr;
  bool empty() const { return positional.empty() && keywords.empty() && star == nullptr && star_star == nullptr; }
};
struct Builtin;                // builtins/: a filter, test or function
struct Filter : Expr {
  const Expr* operand;         // null inside `{% filter %}` and `{% set x | f %}`: the body's text
  Identifier name;
  Arguments arguments;
  const Builtin* builtin = nullptr;  // null: unknown, which is an error only when reached (in an untaken branch)
};
struct Test : Expr {
  const Expr* operand;
  Identifier name;
  Arguments arguments;
  const Builtin* builtin = nullptr;
};
struct Call : Expr { const Expr* callee; Arguments arguments; };
struct GetItem : Expr { const Expr* object; const Expr* key; };  // key may be a Slice
struct GetAttr : Expr { const Expr* object; Identifier name; bool store = false; };
struct Slice : Expr { const Expr* start; const Expr* stop; const Expr* step; };  // each may be null
struct Concat : Expr { ListOf<Expr> items; };
enum class CompareOp : std::uint8_t { Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual, In, NotIn };
struct Operand { CompareOp op; const Expr* expr; };
struct Compare : Expr { const Expr* first; std::span<const Operand> rest; };
enum class BinaryOp : std::uint8_t { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };
struct Binary : Expr { BinaryOp op; const Expr* left; const Expr* right; };
struct Logical : Expr { const Expr* left; const Expr* right; };  // And, Or
struct Unary : Expr { const Expr* operand; };                    // Not, Negate, Plus

// ---- statements ----
// One piece of an Output: literal template text (expr null) or `{{ expr }}`.
struct OutputPart {
  Span span;                // of the literal's source bytes, or of the whole `{{ … }}`
  std::string_view text;    // the literal after whitespace control and newline normalisation
  const Expr* expr = nullptr;
};
struct Output : Stmt { std::span<const OutputPart> parts; };
struct For : Stmt {
  const Expr* target; const Expr* iterable; const Expr* filter;  // filter: `if` clause, may be null
  Body body; Body otherwise; bool recursive;
  std::uint32_t scope = 0;  // set by resolve/, as are the scopes below
};
struct IfBranch { const Expr* test; Body body; };
struct If : Stmt { std::span<const IfBranch> branches; Body otherwise; };
struct Parameter { const Name* name; const Expr* fallback; };  // fallback: the default, may be null
struct MacroSignature { std::span<const Parameter> parameters; bool uses_caller, uses_varargs, uses_kwargs; };
struct Macro : Stmt { const Name* name; MacroSignature signature; Body body; std::uint32_t scope = 0; };
struct CallBlock : Stmt { const Call* call; MacroSignature signature; Body body; std::uint32_t scope = 0; };
struct FilterBlock : Stmt { const Filter* filter; Body body; std::uint32_t scope = 0; };
struct WithBinding { const Expr* target; const Expr* value; };
struct With : Stmt { std::span<const WithBinding> bindings; Body body; std::uint32_t scope = 0; };
struct Block : Stmt { Identifier name; Body body; bool scoped; bool required; std::uint32_t scope = 0; };
struct Include : Stmt { const Expr* name; bool with_context; bool ignore_missing; };
struct Import : Stmt { const Expr* name; const Name* target; bool with_context; };
struct ImportedName { Identifier name; const Name* target; };
struct FromImport : Stmt { const Expr* name; std::span<const ImportedName> names; bool with_context; };
struct Extends : Stmt { const Expr* name; };
struct Assign : Stmt { const Expr* target; const Expr* value; };
struct AssignBlock : Stmt { const Expr* target; const Filter* filter; Body body; std::uint32_t scope = 0; };
struct Do : Stmt { const Expr* expr; };
struct Jump : Stmt {};  // Break, Continue
struct Autoescape : Stmt { const Expr* enabled; Body body; std::uint32_t scope = 0; };

}  // namespace capwright::jinja
