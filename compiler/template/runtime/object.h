// What a Value of Kind::Object points to: things that only a running template has (macros, loops, namespaces,
// lazy sequences, bound methods, big integers). They live in the render's Arena and are never destroyed.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "template/syntax/ast.h"
#include "value/value.h"

namespace capwright::jinja {
class Runtime;
struct CallArguments;

// One pass over something iterable. `next` returns false at the end; after a failure it also returns false, and the
// fault is already in the Sink.
class Iterator {
 public:
  virtual bool next(Runtime&, Value& item) = 0;

 protected:
  ~Iterator() = default;
};
}  // namespace capwright::jinja

namespace capwright {

// Python's data model, as far as templates can see it. The defaults say "this type can't do that".
class Object {
 public:
  // Python's type name as messages and reprs show it: "Macro", "Namespace", "generator", "range", "dict_items" …
  virtual std::string_view type_name() const = 0;
  // Attribute look-up; nothing when there is no such attribute (the caller makes the undefined).
  virtual std::optional<Value> attribute(jinja::Runtime&, const jinja::Identifier&) { return std::nullopt; }
  virtual std::optional<Value> item(jinja::Runtime&, const Value& /*key*/) { return std::nullopt; }
  // `[start:stop:step]`, each Null when left out; nothing when the type has no slices.
  virtual std::optional<Value> slice(jinja::Runtime&, std::span<const Value, 3>) { return std::nullopt; }
  virtual bool callable() const { return false; }
  virtual Value call(jinja::Runtime&, const jinja::CallArguments&);
  // Prints what a call gives, where nothing else is done with it; false: there is no such shortcut.
  virtual bool print_call(jinja::Runtime&, const jinja::CallArguments&) { return false; }
  // Null when it can't be iterated. A lazy object gives the same iterator each time: a second pass is empty.
  virtual jinja::Iterator* iterate(jinja::Runtime&) { return nullptr; }
  // Python's len(); nothing when it has none.
  virtual std::optional<std::size_t> length(jinja::Runtime&) { return std::nullopt; }
  virtual bool truth(jinja::Runtime&) { return true; }
  // The value, if there is one, whose origins and taint are those of the object's text.
  virtual Value contents() const { return Value::null(); }
  // str() and repr() are appended by these; `repr` is the default of `print`.
  virtual void repr(jinja::Runtime&, std::string& out);
  virtual void print(jinja::Runtime& runtime, std::string& out) { repr(runtime, out); }
  // Whether str() is HTML already, which autoescape leaves alone (Python's `__html__`).
  virtual bool is_html() const { return false; }
  virtual bool equals(jinja::Runtime&, const Value& other);

 protected:
  ~Object() = default;
};

}  // namespace capwright
