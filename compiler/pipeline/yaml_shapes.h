// Which arrangements of template text are YAML. A plain template folder renders the same text for many clusters, with
// other values in it; values that mean nothing to YAML can't break it, so each arrangement is parsed once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "files/file_set.h"
#include "value/limits.h"

namespace capwright {

// The arrangements that were parsed, for all clusters of a template set. Thread-safe.
class KnownShapes {
 public:
  bool has(std::uint64_t shape) const;
  void add(std::uint64_t shape);

 private:
  static constexpr std::size_t kMost = 10'000;  // 80 KB; more are parsed each time

  mutable std::mutex changing_;
  std::unordered_set<std::uint64_t> shapes_;
};

// Whether the template's text in a file is YAML, whatever its values are, of which none means something to YAML.
// Ignores errors that only values make, such as keys that are the same: another cluster of this shape may not have
// them.
bool has_sound_shape(const RenderedFile& file, KnownShapes& known, const Limits& limits);

}  // namespace capwright
