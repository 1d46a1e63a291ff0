// Where names are stored while a template runs, computed before it runs. The rules are those of Jinja2's compiler,
// which turns names into local variables of Python functions; here a function is an activation record and a variable is
// a slot.

// Functions. A template's root, each block, macro and call block, and the body (with else) of a recursive loop has an
// activation record. All other scopes are inline: they use slots of the record of the enclosing function.
//   record.slots[0 … slot_count)      start out as missing
//   record.context[0 … context_count) start out as not looked up
//   record.outer                      the record of the lexically enclosing function (static link); roots and blocks
//                                     have none. A macro takes it from where `{% macro %}` was executed.
// Missing is a special state, not a Value that a template can make: reading it gives an undefined of the name.
//
// Scopes. A scope is entered by running its `loads` in order, and left by making all `cleared` slots missing. Names
// that a scope only reads and that no outer scope has are NameAccess::Context: looked up once per record, at the first
// use. That isn't observable: the context's answer can't change while a record that doesn't store the name runs. If it
// would be observable (a closure outlives the function), the name has a slot and a load, as in Jinja2.
//
// Calling a function: make the record, store the parameters and the special names (`self_slot` …), enter `scope`,
// fill in missing parameters (defaults are evaluated in the record, in order), run the body.
//
// Context. `toplevel` statements write to the context's variables as well as to the slot; those of the names that don't
// start with `_` and were not imported are exported. Blocks and context look-ups read the variables first, then the
// given values, then globals. Included and imported templates (with context) and scoped blocks get a context with the
// names of `locals` and the values of their slots on top, except for missing ones.
#pragma once
#include <cstdint>
#include <span>

#include "template/syntax/ast.h"

namespace capwright::jinja {

// One step at the start of a scope.
struct Load {
  enum class Kind : std::uint8_t {
    Clear,    // the slot becomes missing
    Copy,     // the value of an outer scope's slot `from` (a Slot, may be missing): the scope changes only its copy
    Resolve,  // the context's value of `name` (may be missing)
  };
  Kind kind = Kind::Clear;
  std::uint32_t slot = 0;  // in the running function's record
  SlotRef from;            // Copy
  Identifier name;
};

struct Scope {
  std::span<const Load> loads;
  // Slots to make missing at the end. Empty unless a closure can read them later.
  std::span<const std::uint32_t> cleared;
};

struct Function {
  std::uint32_t slot_count = 0;
  std::uint32_t context_count = 0;
  // Closures (macros, call blocks, recursive loops) refer to this function's record: it must live as long as they do.
  bool captured = false;
  const Scope* scope = nullptr;
  // Slots of special names that the text reads; otherwise kNoSlot.
  std::uint32_t self_slot = kNoSlot;   // root and blocks: the `self` object
  std::uint32_t super_slot = kNoSlot;  // blocks: the parent's block of the same name
};

struct VisibleName {
  Identifier name;
  SlotRef slot;
};

}  // namespace capwright::jinja
