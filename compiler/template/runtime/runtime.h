// The running render as builtins see it: memory, errors, Python's operations on values, calls back into templates.
// eval/ implements it; builtins/ only use it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "template/runtime/object.h"
#include "template/syntax/options.h"
#include "value/stage.h"

namespace capwright::jinja {

struct KeywordArgument {
  Identifier name;
  Value value;
};
// Evaluated arguments before they are bound to a signature.
struct CallArguments {
  std::span<const Value> positional;
  std::span<const KeywordArgument> keywords;
};


class Runtime {
 public:
  Runtime(Stage& in, const Options& as_read, RenderTrace& calls) : stage(in), options(as_read), trace(calls) {}

  Stage& stage;
  const Options& options;
  RenderTrace& trace;
  // Where the running operation stands: set by the evaluator before each operation that can fail.
  Span here;
  std::uint32_t line = 0;  // as Jinja2 would report it
  FrameId frame = FrameId::Root;
  bool autoescape = false;

  Arena& arena() { return stage.arena; }

  // ---- failing: reports at `here` with the call trace, returns Value::error() ----
  template <class... Args>
  Value fail(const DiagSpec<Args...>& spec, const std::type_identity_t<Args>&... args) {
    return failed(stage.sink.report(spec, here, args...), spec.info);
  }
  // Like fail(), for a fault whose message Python words ("can only concatenate str …"): T-code + free text.
  Value fail_as(const DiagInfo& info, std::string message);
  // True once the render must stop: a limit was hit, or the first error in Jinja2's own mode.
  bool stopped() const { return stopped_; }
  // How many faults this render reported, repetitions included: tells whether an operation whose result can't say so
  // (truth, str, equals, contains) has failed.
  std::uint64_t failures() const { return failures_; }
  // Counts `steps` against Limits::steps; false (and reported) when they are used up.
  bool step(std::uint64_t steps = 1);
  // False (and reported) when a string of `bytes` or a list of `items` would pass its limit.
  bool room_for_text(std::uint64_t bytes);
  bool room_for_items(std::uint64_t items);

  // ---- making values ----
  Value string(std::string_view bytes);                 // copies
  Value mapped_string(const MappedText& text);          // a String that keeps its exact map
  Value list(std::span<const Value> items);             // a new, growing list
  Value tuple(std::span<const Value> items);
  Value dict();                                         // a new, empty, growing map
  Value undefined(std::string_view name, Value owner);  // `name` was not found in `owner` (Null: among the names)
  // Growing containers; false when a limit is hit. Keys must be hashable (reported otherwise).
  bool append(const Value& list, const Value& item);
  bool set_item(const Value& map, const Value& key, const Value& value);
  bool remove_item(const Value& map, const Value& key);  // false when there was none; not reported

  // ---- Python's operations. A strict undefined among the operands is reported here. ----
  bool truth(const Value&);
  std::string str(const Value&);                         // str(): what `{{ }}` prints
  std::string repr(const Value&);
  bool equals(const Value&, const Value&);
  // <0, 0, >0; nothing (reported: "'<' not supported between instances of …") when they have no order.
  std::optional<int> compare(const Value&, const Value&);
  bool contains(const Value& container, const Value& item);
  std::optional<std::size_t> length(const Value&);       // reported when it has none
  Value attribute(const Value& object, const Identifier& name);  // `object.name`: attribute, then item
  Value item(const Value& object, const Value& key);             // `object[key]`: item, then attribute
  Iterator* iterate(const Value&);                       // null (reported) when it can't be iterated
  Value to_list(const Value& iterable);                  // list(iterable)
  std::string_view type_name(const Value&);              // Python's: "str", "int", "dict", "StrictUndefined" …
  Value binary(BinaryOp, const Value&, const Value&);

  // ---- calls ----
  Value call(const Value& callee, const CallArguments&);
  Value call_filter(std::string_view name, const CallArguments&);  // first positional: the operand
  bool call_test(std::string_view name, const CallArguments&);

  // Markup-escapes (& < > " ') unless the value is Markup already.
  Value escape(const Value&);

 private:
  Value failed(Diagnostic&, const DiagInfo&);
  bool stopped_ = false;
  std::uint64_t failures_ = 0;  // counted by failed() and fail_as()
};

}  // namespace capwright::jinja
