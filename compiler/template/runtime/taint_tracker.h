// Tracks decisions by secrets. An operation whose result depends on the value of a secret, not only on its presence,
// looks at it: a comparison, an index, a length. Code that computes a result with such operations uses a Watch
// (watch.h), and makes the whole result a secret.
#pragma once
#include <unordered_set>

#include "template/runtime/faults.h"
#include "value/value.h"

namespace capwright::jinja {

class TaintTracker : public Faults {
 public:
  using Faults::Faults;

  void look_at(const Value& value) {
    if (value.tainted() || is_changed(value)) looked_at(value);
  }
  // The same for truth, which a template may test on a marked value.
  void look_at_truth(const Value& value) {
    if (decides(value)) looked_at(value);
  }
  // Whether the truth of a value reveals a secret. A text with a non-secret byte is always true.
  static bool decides(const Value& condition) {
    return condition.tainted() && !condition.is_marked() && !has_public_byte(condition);
  }

  // A container or an iterator whose state depends on a secret: values read from it are secret.
  void change_by_secret(const void* state) { changed_.insert(state); }
  bool is_changed(const Value& value) const { return !changed_.empty() && holds_change(value); }

  struct Observation {
    bool secret = false;
    OriginId origin = OriginId::None;
  };
  Observation observed;  // since the start of the innermost Watch

 private:
  void looked_at(const Value&);
  bool holds_change(const Value&) const;
  static bool has_public_byte(const Value&);

  std::unordered_set<const void*> changed_;
};

}  // namespace capwright::jinja
