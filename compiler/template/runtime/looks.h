// Decisions by secrets. An operation whose outcome depends on what a secret is, not just on its presence, looks at it:
// a comparison, an index, a length. Whoever makes a result of such operations watches for that (watch.h) and makes a
// secret of the whole result.
#pragma once
#include <unordered_set>

#include "template/runtime/faults.h"
#include "value/value.h"

namespace capwright::jinja {

class Looks : public Faults {
 public:
  using Faults::Faults;

  void look_at(const Value& value) {
    if (value.tainted() || is_changed(value)) looked_at(value);
  }
  // The same for truth, which a template may ask a marked value for.
  void look_at_truth(const Value& value) {
    if (decides(value)) looked_at(value);
  }
  // Whether the truth of a value says what a secret is. A text with a byte that is no secret's is true anyway.
  static bool decides(const Value& condition) {
    return condition.tainted() && !condition.is_marked() && !has_public_byte(condition);
  }

  // A container, or an iterator, in a state that depends on a secret: reading it gives secrets.
  void change_by_secret(const void* state) { changed_.insert(state); }
  bool is_changed(const Value& value) const { return !changed_.empty() && holds_change(value); }

  struct Looked {
    bool secret = false;
    OriginId origin = OriginId::None;
  };
  Looked looked;  // since the innermost Watch began

 private:
  void looked_at(const Value&);
  bool holds_change(const Value&) const;
  static bool has_public_byte(const Value&);

  std::unordered_set<const void*> changed_;
};

}  // namespace capwright::jinja
