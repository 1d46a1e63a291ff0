// How the name of an immutable template follows from its spec: `<cluster>-<role>-<hash8>`. Names are a contract with
// running clusters: what changes here replaces every machine of a fleet, so it gets a new kNaming.
#pragma once
#include <cstddef>
#include <cstdint>
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

// How many digests a spec may have, for when the first ones stand for other specs.
inline constexpr std::uint32_t kDigestAttempts = 16;

// `-5d1f0c7a`, of the canonical text of a spec; a later attempt hashes a line break and its number behind it.
std::string name_suffix(std::string_view canonical_spec, std::uint32_t attempt = 0);

// Whether a name ends with a digest of this spec.
bool is_named_after(std::string_view name, std::string_view canonical_spec);

// `<cluster>-<role>` of a name with its digest.
std::string_view base_of(std::string_view name);

// What tells objects apart in a map: kind, group and name.
std::string object_key(std::string_view kind, std::string_view group, std::string_view name);

// `<cluster>-<role>` of a manifest that has a spec to be named after and `-` with eight hexadecimal digits behind its
// name; else empty. Whether the digits are its digest is not asked: another version of capwright may have named it.
std::string_view rotated_base(const Value& manifest, std::string_view name);

// `spec.template.spec` of a manifest; null when there is none.
const Value* template_spec(const Value& manifest);

// The string at `key`; nothing when `map` is no map, or has no string there.
std::optional<std::string_view> string_at(const Value& map, std::string_view key);
// Null when there is no Map.
const Value* map_at(const Value& map, std::string_view key);

// Of `infrastructure.cluster.x-k8s.io/v1beta1`: the part before the slash; empty for the core group.
std::string_view group_of(std::string_view api_version);

}  // namespace capwright::rotation
