// The tree of an expression, in an Arena. Macros are separate nodes, so that messages refer to the source as written.
// The checker fills in the last members of Expr; then the tree is immutable and shared by threads.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cel/function.h"
#include "cel/type.h"
#include "cel/val.h"
#include "text/regex.h"

namespace capwright::cel {

// A half-open range of bytes of the expression's text.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class ExprKind : std::uint8_t {
  Literal,      // literal
  Ident,        // name; slot
  Select,       // operand.name; `optional` for `.?`, `test_only` inside has()
  Call,         // name(args), or args[0].name(args[1]…) if `member`; operators are calls such as `_+_`
  And,          // args, two or more
  Or,           // args, two or more
  Conditional,  // args[0] ? args[1] : args[2]
  List,         // args; optional_args[i] for `?e`
  Map,          // args: key, value, key, value …; optional_args[i] for entry i
  Message,      // name{…}: no message types are known, so the checker reports it
  Macro,        // macro over operand
};

enum class Macro : std::uint8_t {
  All,
  Exists,
  ExistsOne,
  Map,                // args: transform, or predicate and transform
  Filter,             // args: predicate
  TransformList,      // two variables; args: transform, or predicate and transform
  TransformMap,       // the same, by key
  TransformMapEntry,  // the same; args make maps with the entries to insert
  SortBy,             // args: key
  OptMap,             // args: transform
  OptFlatMap,
};

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Macro macro = Macro::All;
  bool member = false;
  bool optional = false;
  bool test_only = false;
  std::uint16_t depth = 1;  // of the tree below, this node included
  Range where = {};
  Range name_where = {};  // of the field, function or variable
  std::string_view name = {};
  Val literal = {};
  Expr* operand = nullptr;
  std::span<Expr* const> args = {};
  std::span<const bool> optional_args = {};
  std::string_view variables[2] = {};  // of a Macro; the second is empty in forms with one variable

  // Set by the checker:
  const Type* type = nullptr;
  std::uint32_t slot = 0;                           // of an Ident; of a Macro: of its first variable
  std::span<const Overload* const> overloads = {};  // of a Call: those that match the types
  const Regex* regex = nullptr;                     // of a Call with a literal pattern
  bool in_constants = false;   // of a Call of `in`: the list is a literal of scalars, and has no cost
  bool start_is_free = false;  // of a path inside an index or a branch: its start value has no cost
};

// Whether the tree uses the variable of the slot.
bool names_slot(const Expr&, std::uint32_t slot);

inline constexpr std::uint16_t kDeepestExpr = 250;

// An error in an expression, found before it runs.

struct Issue {
  std::uint32_t begin = 0, end = 0;  // bytes of the expression
  std::string message;
  std::string help;  // the suggested fix; may be empty
};

}  // namespace capwright::cel
