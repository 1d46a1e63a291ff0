// The form in which a cluster renders its secrets: `secrets` of its values, read once for all stages.
#pragma once
#include <optional>
#include <string_view>

#include "secrets/secret_leaves.h"
#include "source/source.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

// Points into the values.
struct SecretForm {
  std::string_view name;         // `secrets.form`; empty: the values don't set it
  Span where;                    // the place that sets it; unknown: none
  std::string_view certificate;  // `secrets.sealed.certificate`; empty: values aren't sealed
  bool plain_folder = false;     // a plain template folder, which has no forms

  // The objects in which it renders secret values; empty if it renders none.
  std::optional<secrets::SecretHolder> holder() const;
};

// Of frozen values.
SecretForm secret_form_of(const Value& values, const OriginTable& origins, bool plain_folder);

}  // namespace capwright
