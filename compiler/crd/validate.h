// The API server's verdict on one object: created, or updated from a stored version.
#pragma once
#include <cstdint>
#include <string_view>

#include "crd/registry.h"
#include "crd/server_finding.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::crd {

enum class Operation : std::uint8_t { Create, Update };

// The input of admission.
struct Review {
  const KindVersion& kind;
  Operation operation;
  Value object;  // with the defaults of its schema
  Value old;     // the stored object; null on creation
  const Registry& registry;
  Stage& stage;
};

// The providers' admission webhooks. Implementations are immutable: threads share them.
class Admission {
 public:
  virtual ~Admission() = default;
  // The mutating webhooks: returns the changed object. Runs after the schema's defaults, before any check.
  virtual Value fill_in(const Review& review) const { return review.object; }
  // For an object that was created earlier: adds what the mutating webhooks set then, as far as that is known.
  virtual Value as_stored(const Review& review) const { return review.object; }
  // The validating webhooks: adds their errors. Runs last, on an object that is valid by schema and rules.
  virtual void check(const Review&, Findings&) const = 0;
};

struct Verdict {
  enum class Outcome : std::uint8_t { Accepted, Refused, UnknownKind };
  Outcome outcome = Outcome::Accepted;
  const KindVersion* kind = nullptr;  // null: not served
  Value object;                       // as it would be stored: merged, with defaults; as far as the checks ran
  Findings findings;                  // in the server's order; empty if it is accepted
};

struct Request {
  Value object;                // read with ScalarRules::Kubernetes
  const Value* old = nullptr;  // the stored object: an update, as by `kubectl apply`
  const Admission* admission = nullptr;
};

// Doesn't report to the stage's sink: findings are data. Values of the verdict live in the stage's arena.
Verdict validate(const Request&, const Registry&, Stage&);

// Applies `content` over `live`, which was last applied as `last`: maps are merged, lists and scalars replaced, and
// fields of `last` that `content` lacks are removed (the three-way merge of `kubectl apply` for custom resources).
Value apply_merge(const Value& last, const Value& live, const Value& content, Arena&);

// The place of a path such as `spec.ports[0].name` or `metadata.labels[a/b]`: its key, or if that is missing, its
// nearest ancestor.
Span place_of(const Value& object, std::string_view path, const Stage&);

// Adds an error at `path`; looks up its place. `message` has the server's wording, without the path.
void refuse(Findings&, const Review&, Reason, std::string path, std::string message);

}  // namespace capwright::crd
