// The target of a Value of Kind::Object: values that exist only in a running template (macros, loops, namespaces, lazy
// sequences, bound methods, big integers). They live in the render's Arena and are never destroyed.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "template/syntax/ast.h"
#include "value/value.h"

namespace capwright::jinja {
class Runtime;
struct CallArguments;

// One pass over an iterable. `next` returns false at the end, and also after an error, which is already in the Sink.
class Iterator {
 public:
  virtual bool next(Runtime&, Value& item) = 0;

 protected:
  ~Iterator() = default;
};
}  // namespace capwright::jinja

namespace capwright {

// Python's data model, as far as templates can observe it. The defaults mean "not supported by this type".
class Object {
 public:
  // Python's type name for messages and reprs: "Macro", "Namespace", "generator", "range", "dict_items" …
  virtual std::string_view type_name() const = 0;
  // Attribute look-up; empty if there is no such attribute (the caller creates the undefined).
  virtual std::optional<Value> attribute(jinja::Runtime&, const jinja::Identifier&) { return std::nullopt; }
  virtual std::optional<Value> item(jinja::Runtime&, const Value& /*key*/) { return std::nullopt; }
  // A Map of all attributes, for advice; Null if they are always the same.
  virtual Value names() const { return Value::null(); }
  // `[start:stop:step]`, each Null if omitted; empty if the type has no slices.
  virtual std::optional<Value> slice(jinja::Runtime&, std::span<const Value, 3>) { return std::nullopt; }
  virtual bool callable() const { return false; }
  virtual Value call(jinja::Runtime&, const jinja::CallArguments&);
  // Prints the result of a call that is only printed; false: not supported.
  virtual bool print_call(jinja::Runtime&, const jinja::CallArguments&) { return false; }
  // Null if it can't be iterated. A lazy object returns the same iterator each time: a second pass is empty.
  virtual jinja::Iterator* iterate(jinja::Runtime&) { return nullptr; }
  // Python's len(); empty if the type has none.
  virtual std::optional<std::size_t> length(jinja::Runtime&) { return std::nullopt; }
  virtual bool truth(jinja::Runtime&) { return true; }
  // The value, if any, whose origins and taint apply to the object's text.
  virtual Value contents() const { return Value::null(); }
  // str() and repr() append their text; `repr` is the default of `print`.
  virtual void repr(jinja::Runtime&, std::string& out);
  virtual void print(jinja::Runtime& runtime, std::string& out) { repr(runtime, out); }
  // Whether str() is already HTML, which autoescape leaves unchanged (Python's `__html__`).
  virtual bool is_html() const { return false; }
  virtual bool equals(jinja::Runtime&, const Value& other);

 protected:
  ~Object() = default;
};

}  // namespace capwright
