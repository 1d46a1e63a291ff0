// How the name of an immutable template follows from its spec: `<cluster>-<role>-<hash8>`. Names are a contract with
// running clusters: what changes here replaces every machine of a fleet, so it gets a new kNaming.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace capwright::rotation {

// The first 8 hexadecimal digits of SHA-256 over canonical_json() of `spec.template.spec`, as rendered.
inline constexpr std::string_view kNaming = "sha256-rfc8785";
inline constexpr std::size_t kSuffix = 9;  // bytes of `-<hash8>`
// Names of machines and their labels are made from it, and a label's value has 63 characters.
inline constexpr std::size_t kLongestName = 63;
inline constexpr std::size_t kLongestBase = kLongestName - kSuffix;

// `-5d1f0c7a`.
std::string name_suffix(const Value& template_spec);

// `<cluster>-<role>` of a name with its digest.
std::string_view base_of(std::string_view name);

// `spec.template.spec` of a manifest; null when there is none.
const Value* template_spec(const Value& manifest);

// The string at `key`; nothing when `map` is no map, or has no string there.
std::optional<std::string_view> string_at(const Value& map, std::string_view key);

// Of `infrastructure.cluster.x-k8s.io/v1beta1`: the part before the slash; empty for the core group.
std::string_view group_of(std::string_view api_version);

}  // namespace capwright::rotation
