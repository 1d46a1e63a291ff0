// What the API server refuses of an update, and of no new object: rules of CRDs about what was there before, and what
// the providers' webhooks keep from changing.
#pragma once
#include <string>
#include <vector>

#include "crd/validate.h"

namespace capwright::crd {

struct Refusal {
  Finding finding;
  std::string why;        // the server's message without the value, which may be a secret or a whole spec
  std::string by;         // "the webhook of capo-v0.14.7", "the CRD of capi-v1.14.2"
  bool of_update = true;  // a new object could be so
};

// Nothing when no release is known that has the kind. Both values must live as long as the stage.
std::vector<Refusal> refused_update(const Value& before, const Value& after, const Admission* admission,
                                    const Registry& registry, Stage& stage);

}  // namespace capwright::crd
