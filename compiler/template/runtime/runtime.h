// The running render for builtins: memory, errors, Python's operations on values, calls back into templates. eval/
// derives the evaluator from it; builtins/ only use it.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "template/runtime/big_integer.h"
#include "template/runtime/python_object.h"
#include "template/runtime/taint_tracker.h"
#include "template/runtime/undefined.h"
#include "template/syntax/options.h"
#include "text/python_text.h"
#include "value/stage.h"

namespace capwright::jinja {

struct KeywordArgument {
  Identifier name;
  Value value;
  bool secret_name = false;  // from `**mapping`, whose key is a secret
};
// Evaluated arguments that aren't bound to a signature yet.
struct CallArguments {
  std::span<const Value> positional;
  std::span<const KeywordArgument> keywords;
};

// The origin of a value and whether it contains a secret, collected over all its content.
struct Lineage {
  OriginId origin = OriginId::None;
  bool tainted = false;
};

class Runtime : public TaintTracker {
 public:
  Runtime(Stage& in, const Options& as_read, RenderTrace& calls) : TaintTracker(in, calls), options(as_read) {}

  virtual ~Runtime() = default;

  const Options& options;
  bool autoescape = false;
  bool allow_random = false;  // `random` is only for `capwright-dev jinja`

  Arena& arena() { return stage.arena; }

  // ---- making values ----
  Value string(std::string_view bytes);         // copies
  Value mapped_string(const MappedText& text);  // a String that keeps its exact map, origin and taint included
  Value integer(const BigInteger&);             // an Int, or an Object if it needs more than 64 bits
  Value integer(const python::IntText&);        // reported if it needs more than kMostBits
  Value list(std::span<const Value> items);     // a new, growing list
  Value tuple(std::span<const Value> items);
  Value dict();  // a new, empty, growing map
  // A failed look-up: `name` was not found in `owner` (Null: among the names).
  Value undefined(std::string_view name, Value owner);
  // With Jinja2's own message ("there is no next item"). `choices`: a Map of the names that could be meant.
  Value undefined_because(std::string_view hint, std::string_view name = {}, const Value& choices = {});
  // The same with more detail: the source text of the owner, and the place of the look-up.
  struct LookupPlace {
    Span span;
    std::string_view owner;
  };
  Value undefined_name(const Identifier& name);
  Value undefined_item(const Value& owner, const Value& key, const LookupPlace& place);

  // ---- growing containers; false if a limit is reached. Keys must be hashable (reported otherwise). ----
  bool append(const Value& list, const Value& item);
  bool insert(const Value& list, std::size_t index, const Value& item);
  void erase(const Value& list, std::size_t index);
  void clear(const Value& container);
  bool set_item(const Value& map, const Value& key, const Value& value);
  bool remove_item(const Value& map, const Value& key);  // false if there was none; not reported
  // The value at a key of any kind, by Python's equality; null if there is none. The key must be hashable.
  const Value* find(const Value& map, const Value& key);
  // Whether a value can be a key; reports "unhashable type" (or the strict undefined) otherwise.
  bool hashable(const Value&);
  // A growing copy of a Map that shares its values; other values unchanged.
  Value copy_map(const Value& map);
  // A copy of frozen data whose containers can grow; strings and scalars are shared.
  Value thaw(const Value&);

  // ---- Python's operations. They report a strict undefined among the operands. ----
  bool truth(const Value&);
  std::string str(const Value&);  // str(): the text that `{{ }}` prints
  std::string repr(const Value&);
  void append_str(std::string& out, const Value&);
  void append_repr(std::string& out, const Value&);
  bool equals(const Value&, const Value&);
  // The same for items of containers: Python treats an object as equal to itself without calling its `__eq__`.
  bool equal_items(const Value&, const Value&);
  // <0, 0, >0; empty (reported: "'<' not supported between instances of …") if they have no order.
  std::optional<int> compare(const Value&, const Value&);
  // The same for any of < > <= >=; `unordered` if one is NaN. Empty: reported, naming `sign`.
  std::optional<std::partial_ordering> order(const Value&, const Value&, std::string_view sign);
  bool contains(const Value& container, const Value& item);
  std::optional<std::size_t> length(const Value&);               // reported if it has none
  Value attribute(const Value& object, const Identifier& name);  // `object.name`: attribute, then item
  Value item(const Value& object, const Value& key);             // `object[key]`: item, then attribute
  // The same; empty if there is no such attribute or item. The object is neither Undefined nor Error.
  // The fast path for dicts: null also if Python would find a method of that name first.
  const Value* find_key(const Value& map, const Identifier& name);
  std::optional<Value> find_attribute(const Value& object, const Identifier& name);
  std::optional<Value> find_item(const Value& object, const Value& key);
  // A part of a container, as a secret if the whole container is one.
  Value part_of(const Value& container, const Value& part);
  Value slice(const Value& object, const Value& start, const Value& stop, const Value& step);  // Null: omitted
  // Bytes [begin, end) of a String, with their part of its map.
  Value substring(const Value& string, std::size_t begin, std::size_t end);
  Iterator* iterate(const Value&);           // null (reported) if it can't be iterated
  bool iterable(const Value&);               // whether iterate() would succeed; reports nothing
  Value to_list(const Value& iterable);      // list(iterable)
  std::string_view type_name(const Value&);  // Python's: "str", "int", "StrictUndefined" …
  Value binary(BinaryOp, const Value&, const Value&);
  Value negate(const Value&);
  Value plus(const Value&);
  // A whole number of any size from an int or bool; empty for other values.
  std::optional<BigInteger> whole(const Value&);
  // str(int): decimal. Empty (reported) above 4300 digits, the default limit of CPython.
  std::optional<std::string> decimal(const BigInteger&);

  // ---- work ----
  // Steps of an operation that reads all of its operands once.
  static std::uint64_t work(const Value& operand) {
    if (operand.is(Kind::String)) return operand.text_rep()->size / 256;
    if (operand.is(Kind::List)) return operand.list_rep()->size / 8;
    return operand.is(Kind::Map) ? operand.map_rep()->size / 8 : 0;
  }
  static std::uint64_t work(const CallArguments& call) {
    std::uint64_t steps = 0;
    for (const Value& argument : call.positional) steps += work(argument);
    return steps;
  }
  // Counts the steps of comparing `part` with `text` at every offset; false if they are used up.
  bool step_search(std::string_view text, std::string_view part) {
    return step(text.size() / 256 + text.size() * part.size() / 4096);
  }
  // Counts the steps of reading two whole numbers, and of `passes` schoolbook multiplications of them: a step is worth
  // about 64 products of 32-bit limbs. A division takes twice as long, a conversion to text four times.
  bool step_whole(const BigInteger& a, const BigInteger& b, std::uint64_t passes);

  // ---- undefined and error operands ----
  // Reports the use of an undefined value; Error.
  Value fail_undefined(const Value& undefined);
  // False for Error, and (reported) for a strict undefined.
  bool usable(const Value& value) {
    if (value.kind() > Kind::Undefined) return true;
    return usable_slow(value);
  }

  // ---- provenance ----
  // `result` with the origins and the taint of its inputs.
  Value derived(Value result, const Value& from) { return derived(result, from.origin(), from.tainted()); }
  Value derived(Value result, const Value& a, const Value& b) {
    return derived(result, stage.origins.combine(a.origin(), b.origin()), a.tainted() || b.tainted());
  }
  Value derived(Value result, OriginId origin, bool tainted) {
    return tainted ? secret(result.with_origin(origin)) : result.with_origin(origin);
  }
  // `value` with taint; records its text, so that messages redact it.
  Value secret(Value value);
  Value name_of(const KeywordArgument& argument);

  // `result` as a secret whose every byte depends on the values at `by`.
  Value decided(Value result, OriginId by);

  // Texts that the render derived from secrets, in order.
  const std::vector<std::string_view>& secret_texts() const { return secret_texts_; }
  // Of a value and all its content.
  Lineage lineage(const Value&);
  // Appends a String with its map. Bytes without a map get a segment without a place, which the printing code fills in.
  void append(MappedText& out, const Value& string);
  void append_part(MappedText& out, const Value& string, std::size_t begin, std::size_t end);  // bytes [begin, end)
  // A segment for bytes that an operation derived from `value`.
  static Segment segment_of(const Value& value);

  // ---- calls ----
  Value call(const Value& callee, const CallArguments&);
  Value call_filter(std::string_view name, const CallArguments&);  // first positional: the operand
  bool call_test(std::string_view name, const CallArguments&);

  // Markup-escapes (& < > " ') unless the value is Markup already.
  Value escape(const Value&);

 protected:
  // Adds the names in scope to the report of an undefined variable; the evaluator implements it.
  virtual void explain_name(Diagnostic&, std::string_view /*name*/) {}

 private:
  bool usable_slow(const Value&);
  std::optional<Value> find_any_item(const Value& object, const Value& key);
  std::vector<std::string_view> secret_texts_;  // in the Arena or in the values
  std::vector<const void*> printing_;           // containers whose repr() is in progress: they may contain themselves
};

}  // namespace capwright::jinja
