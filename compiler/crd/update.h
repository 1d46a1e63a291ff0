// Errors that the API server reports for an update but not for a new object: CRD rules that compare with the old value,
// and fields that the providers' webhooks make immutable.
#pragma once
#include <string>
#include <vector>

#include "crd/validate.h"

namespace capwright::crd {

struct Refusal {
  Finding finding;
  std::string why;        // the server's message without the value, which may be a secret or a whole spec
  std::string by;         // "the webhook of capo-v0.14.7", "the CRD of capi-v1.14.2"
  bool of_update = true;  // false: the same state would be valid in a new object
};

// Empty if no known release has the kind. `after` is of the stage, so findings know its places; `before` may be of
// another one, and has none. Both values must live as long as the stage.
std::vector<Refusal> refused_update(const Value& before, const Value& after, const Admission* admission,
                                    const Registry& registry, Stage& stage);

}  // namespace capwright::crd
