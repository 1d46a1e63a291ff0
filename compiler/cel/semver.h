// Semantic versions (semver.org 2.0.0), strictly or with Kubernetes' normalization (`v1.2` is 1.2.0).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace capwright::cel {

struct Semver {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::span<const std::string_view> pre;  // identifiers of the pre-release
  std::string_view build;                 // without `+`; ignored in comparisons
};

// The parts of the result live in the Arena. `normalize`: accepts a leading `v`, missing parts and leading zeros.
std::optional<Semver> parse_semver(std::string_view text, bool normalize, Arena&);
int compare(const Semver& a, const Semver& b);
std::string to_text(const Semver&);

}  // namespace capwright::cel
