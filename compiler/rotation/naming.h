// Derives the name of an immutable template or class from its spec: `<cluster>-<role>-<hash8>`. Names are a contract
// with running clusters: a change here replaces every machine of a fleet, so it requires a new kNaming.
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
// Names of machines and their labels derive from it, and a label's value has at most 63 characters.
inline constexpr std::size_t kLongestName = 63;
inline constexpr std::size_t kLongestBase = kLongestName - kSuffix;

// How many digests to try for a spec if the first ones belong to other specs.
inline constexpr std::uint32_t kDigestAttempts = 16;

// `-5d1f0c7a`, from the canonical text of a spec; later attempts append a line break and their number to the text.
std::string name_suffix(std::string_view canonical_spec, std::uint32_t attempt = 0);

// Whether a name ends with a digest of this spec.
bool is_named_after(std::string_view name, std::string_view canonical_spec);

// `<cluster>-<role>` from a name with a digest.
std::string_view base_of(std::string_view name);

// The rendered name of an object that `existing`, the `existing_names` of the values, gives this name; otherwise the
// name itself.
std::string_view rendered_name(const Value& existing, std::string_view kind, std::string_view name);

// A key for maps of objects: kind, group and name.
std::string object_key(std::string_view kind, std::string_view group, std::string_view name);

// `<cluster>-<role>` if the manifest has a spec to derive names from, and its name ends in `-` and eight hexadecimal
// digits; otherwise empty. Doesn't verify the digits: another version of capwright may have created the name.
std::string_view rotated_base(const Value& manifest, std::string_view name);

// `spec.template.spec` of a manifest; null if it has none.
const Value* template_spec(const Value& manifest);

// A class names its templates, so its name is derived after theirs.
inline constexpr std::string_view kClusterClass = "ClusterClass";
// The key of references to classes, the only ones that have no kind.
inline constexpr std::string_view kClassReference = "classRef";

// The part of a manifest that its name is derived from: `spec` of a ClusterClass, template_spec() of other kinds. Null
// if it has none.
const Value* named_spec(const Value& manifest);

// The string at `key`; empty if `map` isn't a map, or has no string there.
std::optional<std::string_view> string_at(const Value& map, std::string_view key);
// Null when there is no Map.
const Value* map_at(const Value& map, std::string_view key);

// Of `infrastructure.cluster.x-k8s.io/v1beta1`: the part before the slash; empty for the core group.
std::string_view group_of(std::string_view api_version);

}  // namespace capwright::rotation
