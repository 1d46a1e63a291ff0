// The abstract syntax of a Jinja2 template: typed, arena-allocated, immutable once parsed, shared by all threads. Forms
// and names follow Jinja2 3.1's node classes. The parser builds it, and resolve/ fills in the results of name
// resolution (marked "resolved"); afterwards it never changes.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "source/source.h"
#include "value/value.h"

namespace capwright::jinja {

struct Builtin;      // builtins/: a filter, test or function
struct Function;     // resolve/scopes.h: one activation record
struct Scope;        // resolve/scopes.h: one Jinja2 frame, and the actions at its start and end
struct VisibleName;  // resolve/scopes.h: a local name that includes, imports and scoped blocks see

// Tables of one node a line, read side by side.
// clang-format off

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
  std::uint16_t height = 1;  // of this expression's tree: at most Options::depth
  Span span;
  std::uint32_t line = 1;  // resolved: the line that Jinja2 reports if this node's own operation fails
};
struct Expr : Node {};
struct Stmt : Node {};
template <class T>
using ListOf = std::span<const T* const>;
using Body = ListOf<Stmt>;

// A name with its hash: the key for maps, contexts and builtin tables.
struct Identifier {
  std::string_view text;
  std::uint32_t hash = 0;
  Span span;
};

// ---- expressions ----
struct Constant : Expr {
  Value value;                   // none, true, false, numbers, strings
  std::string_view big_integer;  // a literal above 64 bits, for python::parse_int(…, 0); then `value` is Null
};
// Where a name's value is stored: see resolve/scopes.h.
enum class NameAccess : std::uint8_t {
  Slot,     // records[hops].slots[index]; a missing value there reads as undefined
  Context,  // records[0].context[index]: the first read asks the context, later ones reuse the answer
};
inline constexpr std::uint32_t kNoSlot = 0xffffffff;
struct SlotRef {
  NameAccess access = NameAccess::Slot;
  std::uint16_t hops = 0;  // static links outwards from the running function's record
  std::uint32_t index = kNoSlot;
};
struct Name : Expr {
  Identifier id;
  bool store = false;  // the target of set, for, with, macro
  SlotRef slot;        // resolved
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
struct Filter : Expr {
  const Expr* operand;         // null inside `{% filter %}` and `{% set x | f %}`: the body's text
  Identifier name;
  Arguments arguments;
  const Builtin* builtin = nullptr;  // null: unknown, which is an error only if it is reached (in an untaken branch)
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
struct Comparison { CompareOp op; const Expr* expr; };
struct Compare : Expr { const Expr* first; std::span<const Comparison> rest; };
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
// Whether a statement runs in a template that extends another: text outside blocks is dropped there.
enum class InheritanceCheck : std::uint8_t { Always, UnlessExtended, Never };
struct Output : Stmt {
  std::span<const OutputPart> parts;
  InheritanceCheck runs = InheritanceCheck::Always;  // resolved
};
struct For : Stmt {
  const Expr* target; const Expr* iterable; const Expr* filter;  // filter: `if` clause, may be null
  Body body; Body otherwise; bool recursive;
  // resolved
  const Expr* filter_target = nullptr;   // the target again, in the filter's own slots; null without a filter
  const Function* function = nullptr;    // recursive: body and else run in records of this; otherwise null (inline)
  const Scope* scope = nullptr;          // of the body, entered for each item after the target is stored
  const Scope* filter_scope = nullptr;   // entered once, before the first item
  const Scope* otherwise_scope = nullptr;
  std::uint32_t loop_slot = kNoSlot;     // of the special `loop`, in the body's record; kNoSlot: the body never reads it
};
struct IfBranch { const Expr* test; Body body; std::uint32_t line; };
struct If : Stmt { std::span<const IfBranch> branches; Body otherwise; };
struct Parameter { const Name* name; const Expr* fallback; };  // fallback: the default, may be null
struct MacroSignature {
  std::span<const Parameter> parameters;
  // resolved: whether the body reads the special names. A slot is kNoSlot if a parameter has that name.
  bool uses_caller = false, uses_varargs = false, uses_kwargs = false;
  std::uint32_t caller_slot = kNoSlot, varargs_slot = kNoSlot, kwargs_slot = kNoSlot;
};
// `toplevel` (resolved), here and below: stored names also become variables of the template's context.
struct Macro : Stmt {
  const Name* name; MacroSignature signature; Body body;
  const Function* function = nullptr; bool toplevel = false;
};
struct CallBlock : Stmt { const Call* call; MacroSignature signature; Body body; const Function* function = nullptr; };
struct FilterBlock : Stmt { const Filter* filter; Body body; const Scope* scope = nullptr; };
struct WithBinding { const Expr* target; const Expr* value; };
struct With : Stmt { std::span<const WithBinding> bindings; Body body; const Scope* scope = nullptr; };
struct Block : Stmt {
  Identifier name; Body body; bool scoped; bool required;
  // resolved
  const Function* function = nullptr;
  std::span<const VisibleName> locals;               // scoped: the names that it sees in addition to the context
  InheritanceCheck runs = InheritanceCheck::Always;  // of the call at the block's place
};
// `locals` (resolved), here and below: names that a template with context sees in addition to it.
struct Include : Stmt {
  const Expr* name; bool with_context; bool ignore_missing;
  std::span<const VisibleName> locals;
};
struct Import : Stmt {
  const Expr* name; const Name* target; bool with_context;
  std::span<const VisibleName> locals; bool toplevel = false;
};
struct ImportedName { Identifier name; const Name* target; };
struct FromImport : Stmt {
  const Expr* name; std::span<const ImportedName> names; bool with_context;
  std::span<const VisibleName> locals; bool toplevel = false;
};
struct Extends : Stmt {
  const Expr* name;
  std::uint32_t line_of_repeat = 1;  // resolved: the line that Jinja2 reports if the template already extends another
};
struct Assign : Stmt { const Expr* target; const Expr* value; bool toplevel = false; };
struct AssignBlock : Stmt {
  const Expr* target; const Filter* filter; Body body;  // filter: may be null
  const Scope* scope = nullptr; bool toplevel = false;
};
struct Do : Stmt { const Expr* expr; };
struct Jump : Stmt {};  // Break, Continue
struct Autoescape : Stmt { const Expr* enabled; Body body; const Scope* scope = nullptr; };  // `enabled` is in `scope`

// clang-format on

}  // namespace capwright::jinja
