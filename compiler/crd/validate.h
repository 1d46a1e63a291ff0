// Verdicts as the API server gives them: on one object that is created, or updated over what is stored.
#pragma once
#include <cstdint>
#include <string_view>

#include "crd/finding.h"
#include "crd/registry.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::crd {

enum class Operation : std::uint8_t { Create, Update };

// What admission looks at.
struct Review {
  const KindVersion& kind;
  Operation operation;
  Value object;  // with the defaults of its schema
  Value old;     // as it is stored; null when it is created
  const Registry& registry;
  Stage& stage;
};

// What providers' admission webhooks do. Implementations are immutable: threads share them.
class Admission {
 public:
  virtual ~Admission() = default;
  // The mutating webhooks: the object as they change it. Runs after the schema's defaults, before anything is checked.
  virtual Value fill_in(const Review& review) const { return review.object; }
  // An object that was created before: with what the mutating webhooks wrote then, as far as that is known.
  virtual Value as_stored(const Review& review) const { return review.object; }
  // The validating webhooks: adds what they refuse. Runs last, on an object that the schema and its rules accept.
  virtual void check(const Review&, Findings&) const = 0;
};

struct Verdict {
  enum class Outcome : std::uint8_t { Accepted, Refused, UnknownKind };
  Outcome outcome = Outcome::Accepted;
  const KindVersion* kind = nullptr;  // null: not served
  Value object;                       // as it would be stored: merged, with defaults; as far as the checks came
  Findings findings;                  // in the server's order; empty when it is accepted
};

struct Request {
  Value object;                // read with ScalarRules::Kubernetes
  const Value* old = nullptr;  // as it is stored: an update, as `kubectl apply` does it
  const Admission* admission = nullptr;
};

// The stage's sink stays untouched: findings are data. Values of the verdict live in the stage's arena.
Verdict validate(const Request&, const Registry&, Stage&);

// `content` applied over `live`, which was applied as `last` before: maps are merged, lists and scalars replaced, and
// what `last` had and `content` doesn't is removed (the three-way merge of `kubectl apply` for custom resources).
Value apply_merge(const Value& last, const Value& live, const Value& content, Arena&);

// The place of a path such as `spec.ports[0].name` or `metadata.labels[a/b]`: of its key, or where that is missing, of
// the nearest part above it.
Span place_of(const Value& object, std::string_view path, const Stage&);

// Adds what a rule refuses at `path`; its place is looked up. `message` is worded as the server's, without the path.
void refuse(Findings&, const Review&, Reason, std::string path, std::string message);

}  // namespace capwright::crd
