// The names that templates see: variables that a template sets at its top level, given values, globals.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "template/runtime/runtime.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// An empty slot: not a Value that a template can make.
inline constexpr Value kMissing = Value::undefined(nullptr);
constexpr bool is_missing(const Value& value) { return value.is(Kind::Undefined) && value.undefined_info() == nullptr; }

// The values and globals of a render. Containers are copied at their first use into ones that can grow, once per name,
// so that all templates of the render see the changes by `append` and `update`.
class GivenValues {
 public:
  GivenValues(const Value& context, const Value& globals);
  // kMissing if neither has the name.
  Value find(Runtime&, const Identifier& name, bool globals_only);
  // Adds all names, for suggestions.
  void add_names(std::vector<std::string_view>& names) const;

 private:
  struct Source {
    Value map;
    std::vector<Value> thawed;  // by entry number; kMissing: not read yet
  };
  static Value find_in(Source&, Runtime&, const Identifier& name);
  Source context_;
  Source globals_;
};

// Names that hide others; immutable once shared.
struct Layer {
  const Layer* below = nullptr;  // null: the given values
  Value names;                   // a Map
};

struct BlockStep {
  const Template* owner = nullptr;
  const Block* block = nullptr;
  const BlockStep* parent = nullptr;  // the block that `super()` runs
};
// The blocks of one name, from the most derived template to the base.
struct BlockChain {
  std::string_view name;
  BlockStep* first = nullptr;
  BlockStep* last = nullptr;
  BlockChain* next = nullptr;
};

// Jinja2's EvalContext: contexts derived from one another share it.
struct EscapeMode {
  bool on = false;
};

// Jinja2's Context: one per run of a template's root; its blocks and macros share it.
struct Context {
  const Template* owner = nullptr;
  Value variables;  // a growing Map: the variables that the top level has set so far
  Value exported;   // a growing Map: those of its names that an import exports
  const Layer* given = nullptr;
  bool globals_only = false;
  BlockChain* blocks = nullptr;
  EscapeMode* escape = nullptr;
};

// The activation record of a Function: see resolve/scopes.h.
struct Record {
  Value* slots = nullptr;
  Value* asked = nullptr;  // cached answers of the context; kUnasked before
  Record* outer = nullptr;
  Context* context = nullptr;
  const Template* owner = nullptr;
  const Template* parent = nullptr;  // of roots: the template in `extends`
};

// The chain of a name's blocks; null if no template has such a block.
BlockChain* find_blocks(const Context&, std::string_view name);

}  // namespace capwright::jinja
