// What templates see by name: the variables that a template sets at its top level, what it was given, the globals.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "template/runtime/runtime.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// A slot that holds nothing: no Value that a template can make.
inline constexpr Value kMissing = Value::undefined(nullptr);
constexpr bool is_missing(const Value& value) { return value.is(Kind::Undefined) && value.undefined_info() == nullptr; }

// The values and globals of a render. Containers are copied on first use into ones that can grow, once a name, so that
// all templates of the render share what `append` and `update` do to them.
class GivenValues {
 public:
  GivenValues(const Value& context, const Value& globals);
  // kMissing when neither knows the name.
  Value find(Runtime&, const Identifier& name, bool globals_only);
  // Adds all names, for "did you mean".
  void add_names(std::vector<std::string_view>& names) const;

 private:
  struct Source {
    Value map;
    std::vector<Value> thawed;  // by entry number; kMissing: not asked for yet
  };
  static Value find_in(Source&, Runtime&, const Identifier& name);
  Source context_;
  Source globals_;
};

// Names on top of others, immutable once shared.
struct Layer {
  const Layer* below = nullptr;  // null: the given values
  Value names;                   // a Map
};

struct BlockStep {
  const Template* owner = nullptr;
  const Block* block = nullptr;
  const BlockStep* parent = nullptr;  // what `super()` runs
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

// Jinja2's Context: one for each run of a template's root; its blocks and macros share it.
struct Context {
  const Template* owner = nullptr;
  Value variables;  // a growing Map: what the top level has set so far
  Value exported;   // a growing Map: those of its names that an import gets
  const Layer* given = nullptr;
  bool globals_only = false;
  BlockChain* blocks = nullptr;
  EscapeMode* escape = nullptr;
};

// The activation record of a Function: see resolve/scopes.h.
struct Record {
  Value* slots = nullptr;
  Value* asked = nullptr;  // what the context said; kUnasked before
  Record* outer = nullptr;
  Context* context = nullptr;
  const Template* owner = nullptr;
  const Template* parent = nullptr;  // roots: the template that `extends` named
};

// The chain of a name's blocks; null when no template has such a block.
BlockChain* find_blocks(const Context&, std::string_view name);

}  // namespace capwright::jinja
